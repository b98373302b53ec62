
(function () {
  "use strict";

  // Sorting: a button in each head. The reference's rows are a body of their
  // own and stay on top; cells without a figure come last either way; the third
  // press restores the order of the document.
  var said = document.getElementById("sorted");
  document.querySelectorAll("table.sortable").forEach(function (table) {
    var body = table.tBodies[table.tBodies.length - 1];
    var rows = Array.from(body.rows);
    var heads = Array.from(table.tHead.rows[0].cells);
    function key(row, column) {
      var cell = row.cells[column];
      if (column === 0) return cell.textContent;
      return cell.dataset.sort === "" ? null : Number(cell.dataset.sort);
    }
    function sort(column, order) {
      var sorted = rows.slice();
      var sign = order === "descending" ? -1 : 1;
      if (order !== "none") sorted.sort(function (a, b) {
        var x = key(a, column), y = key(b, column);
        if (x === null || y === null) return (x === null) - (y === null);
        return x < y ? -sign : x > y ? sign : 0;
      });
      sorted.forEach(function (row) { body.appendChild(row); });
    }
    heads.forEach(function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      var name = head.textContent;
      while (head.firstChild) button.appendChild(head.firstChild);
      head.appendChild(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", function () {
        var first = head.dataset.first, second = first === "ascending" ? "descending" : "ascending";
        var now = head.getAttribute("aria-sort");
        var order = now === "none" ? first : now === first ? second : "none";
        heads.forEach(function (other) { other.setAttribute("aria-sort", "none"); });
        head.setAttribute("aria-sort", order);
        sort(column, order);
        said.textContent = order === "none" ? "order of the document" : "sorted by " + name + ", " + order;
      });
    });
  });

  // Readout: a line under each figure with the values under the pointer, or of
  // the place that the arrow keys have reached.
  var left = 44, width = 360 - 44 - 8, top = 22, base = 128; // of a panel over time, as it is drawn
  function number(x) {
    return x >= 1000 ? Math.round(x).toLocaleString("en") : String(Number(x.toPrecision(4)));
  }
  function list(svg, name) {
    return svg.dataset[name] ? svg.dataset[name].split(" ").map(Number) : null;
  }
  function panel(svg) {
    var offered = list(svg, "offered"), admitted = list(svg, "admitted"), inflight = list(svg, "inflight");
    var bins = (offered || inflight).length, bin = Number(svg.dataset.bin) / 1e9;
    var cursor = document.createElementNS("http://www.w3.org/2000/svg", "path");
    cursor.setAttribute("class", "cursor");
    svg.appendChild(cursor);
    var limits = (svg.dataset.limits || "").split(" ").map(function (pair) { return pair.split(":"); });
    function limitAt(i) {
      return limits.reduce(function (limit, pair) { return Number(pair[0]) <= i ? pair[1] : limit; }, limits[0][1]);
    }
    function instant(i) {
      var seconds = Number(svg.dataset.start) / 1e9 + i * bin;
      if (svg.dataset.date) return new Date(seconds * 1000).toISOString().replace("T", " ").replace(/\.?0*Z$/, "Z");
      return Number(seconds.toPrecision(9)) + " s";
    }
    return {
      bins: bins,
      at: function (x) { return Math.max(0, Math.min(bins - 1, Math.floor((x - left) / width * bins))); },
      show: function (i) {
        var x = i === null ? -1 : left + (i + 0.5) / bins * width;
        cursor.setAttribute("d", i === null ? "" : "M" + x + " " + top + "V" + base);
      },
      words: function (i) {
        var text = svg.dataset.name + ", from " + instant(i) + " to " + instant(i + 1) + ": ";
        if (inflight) return text + number(inflight[i]) + " in flight";
        return text + "offered " + number(offered[i] / bin) + "/s, admitted " + number(admitted[i] / bin) + "/s, limit " + limitAt(i) + "/s";
      }
    };
  }
  document.querySelectorAll("figure").forEach(function (figure) {
    var plots = Array.from(figure.querySelectorAll(".grid > svg"));
    if (!plots.length) return;
    var readout = document.createElement("output");
    readout.className = "readout";
    readout.textContent = "Point at the plot, or focus it and use the arrow keys, for its values.";
    figure.appendChild(readout);
    var panels = [];
    plots.forEach(function (svg) {
      svg.setAttribute("tabindex", "0");
      var place = -1;
      if (svg.classList.contains("timeline")) {
        var one = panel(svg);
        panels.push(one);
        var go = function (i) {
          place = i;
          panels.forEach(function (p) { p.show(p.bins === one.bins ? i : null); });
          readout.textContent = one.words(i);
        };
        svg.addEventListener("pointermove", function (event) {
          var box = svg.getBoundingClientRect();
          go(one.at((event.clientX - box.left) / box.width * 360));
        });
        step(svg, function (by) { go(Math.max(0, Math.min(one.bins - 1, place + by))); });
        return;
      }
      var marks = Array.from(svg.querySelectorAll(".mark"));
      var pick = function (i) {
        place = i;
        marks.forEach(function (mark, j) { mark.classList.toggle("on", i === j); });
        readout.textContent = marks[i].querySelector("title").textContent;
      };
      svg.addEventListener("pointerover", function (event) {
        var i = marks.indexOf(event.target.closest(".mark"));
        if (i >= 0) pick(i);
      });
      step(svg, function (by) { if (marks.length) pick(Math.max(0, Math.min(marks.length - 1, place + by))); });
    });
  });
  function step(svg, move) {
    svg.addEventListener("keydown", function (event) {
      var by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      move(by * (event.shiftKey ? 10 : 1));
    });
  }
})();
