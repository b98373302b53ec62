
(function () {
  "use strict";

  // A part of a page that is added later sends the event "added" to come alive.
  var said = document.getElementById("sorted");
  enliven(document);
  document.addEventListener("added", function (event) { enliven(event.target); });
  function enliven(part) {
    part.querySelectorAll("table.sortable").forEach(sortable);
    part.querySelectorAll("figure").forEach(readable);
  }

  // Sorting: each head has a button. The reference's rows are in a separate
  // table body and stay on top. Cells without a value come last in both
  // directions. The third press restores the order of the document.
  function sortable(table) {
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
  }

  // Readout: a line under each figure shows the values at the pointer, or at
  // the position that the arrow keys selected.
  function number(x) {
    return x >= 1000 ? Math.round(x).toLocaleString("en") : String(Number(x.toPrecision(4)));
  }
  // The values of a series: an empty value repeats the previous one.
  function series(text) {
    var last = 0;
    return text.split(" ").map(function (word) { return word === "" ? last : (last = Number(word)); });
  }
  function panel(svg) {
    var values = svg.dataset.values.split(";").map(series);
    var steps = values[0].length, step = Number(svg.dataset.step) / 1e9;
    var frame = svg.dataset.frame.split(" ").map(Number), left = frame[0], width = frame[2] - frame[0];
    var cursor = document.createElementNS("http://www.w3.org/2000/svg", "path");
    cursor.setAttribute("class", "cursor");
    svg.appendChild(cursor);
    function instant(i) {
      var seconds = Number(svg.dataset.start) / 1e9 + i * step;
      if (svg.dataset.date) return new Date(seconds * 1000).toISOString().replace("T", " ").replace(/\.?0*Z$/, "Z");
      return Number(seconds.toPrecision(9)) + " s";
    }
    return {
      steps: steps,
      at: function (x) { return Math.max(0, Math.min(steps - 1, Math.floor((x - left) / width * steps))); },
      show: function (i) {
        var x = i === null ? -1 : left + (i + 0.5) / steps * width;
        cursor.setAttribute("d", i === null ? "" : "M" + x + " " + frame[1] + "V" + frame[3]);
      },
      words: function (i) {
        var next = 0;
        return svg.dataset.name + ", from " + instant(i) + " to " + instant(i + 1) + ": " +
          svg.dataset.format.replace(/%s/g, function () { return number(values[next++][i]); });
      }
    };
  }
  function readable(figure) {
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
      if (svg.dataset.values) {
        var one = panel(svg);
        panels.push(one);
        var go = function (i) {
          place = i;
          panels.forEach(function (p) { p.show(p.steps === one.steps ? i : null); });
          readout.textContent = one.words(i);
        };
        svg.addEventListener("pointermove", function (event) {
          var box = svg.getBoundingClientRect();
          go(one.at((event.clientX - box.left) / box.width * svg.viewBox.baseVal.width));
        });
        step(svg, function (by) { go(Math.max(0, Math.min(one.steps - 1, place + by))); });
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
  }
  function step(svg, move) {
    svg.addEventListener("keydown", function (event) {
      var by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      move(by * (event.shiftKey ? 10 : 1));
    });
  }
})();
