package describe

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

// printedWord is what tables and notes print that is neither a metric nor a name of the
// scenario language: headings, rows, statuses and the beginnings of notes.
type printedWord struct {
	names   string // in one text, divided by |; the first one is listed
	where   string
	meaning string
	see     string // commands without "limitgauge", divided by |
}

const (
	inRows   = "row of a comparison"
	inHeads  = "heading"
	inStatus = "status"
	inNotes  = "note"
)

// printedWords lists the words by where they are printed.
var printedWords = []printedWord{
	{"reference", inRows, "The first row: the policy's exact limiter on the same requests. Errors of the other rows are measured against it, so its own are 0; over-limit counts windows, and a bucket admits its burst beside one window's refill.", "help metrics|explain over_admission_pct"},
	{"reference-shaper|reference-shaper-2|reference-shaper-3", inRows, "The exact limiter that delays requests instead of rejecting them. Rows that delay requests are measured against it; a note names them. Further ones end in -2, -3 and so on.", "explain leaky-bucket|help metrics"},
	{"best-fixed|best fixed limit", inRows, "The limit on requests in flight that does not move and has the most good answers in the same traffic, of those tried, over all replications together. Rows in front of a backend with a deadline are compared with it.", "explain goodput_lost_pct|explain fixed-concurrency"},
	{"recorded", inRows, "The limiter that wrote the log: the verdicts of the field verdict_field, or --verdict-field of replay.", "explain verdict_field|explain trace"},

	{"algorithm", inHeads, "The limiter of a row: a definition under algorithms: of the scenario, or a preset.", "help scenarios|explain reference"},
	{"scenario", inHeads, "The scenario of the file, by its name.", "help scenarios"},
	{"policy", inHeads, "The limit whose keys a row is about, of several that a request falls under.", "help scenarios|explain descriptor"},
	{"metric", inHeads, "What is measured. limitgauge list metrics has all of them.", "help metrics"},
	{"figure", inHeads, "What a row is about, or the mean of a metric over all replications.", "help metrics"},
	{"key|all requests", inHeads, "One value of what the limit counts by, such as a client address. Of size with --shared, all requests have one.", "explain dimension"},
	{"keys", inHeads, "How many keys there are, or the share of them, in %, to which something happens.", "explain dimension"},
	{"client", inHeads, "The gateway that a request comes through, by its number from 0.", "help scenarios"},
	{"at|apart", inHeads, "When a request of the worst traffic is sent, and how far apart the requests of a row are.", "explain list"},
	{"cost", inHeads, "What each request of a row counts.", "help scenarios"},
	{"requests|req", inHeads, "How many requests a row stands for, or the share of them, in %.", "help scenarios"},
	{"offered", inHeads, "The requests of a key that were sent, admitted or not.", "explain rejected_pct"},
	{"slope", inHeads, "How a figure grows along a curve: 1 in proportion, below 1 sub-linearly, 0 not at all. It is the slope of the least-squares line through the logarithms of both figures.", "help scenarios"},
	{"row", inHeads, "One limiter on the requests of one scenario.", "explain reference|help scenarios"},
	{"axis|axes|cell|cells", inHeads, "An axis is a setting that a sweep varies. A cell is one choice of a value for each axis.", "explain vary|help sweep"},
	{"rows|malformed", inHeads, "The rows that were read from a log, and those that are not valid and were left out.", "explain trace|help scenarios"},
	{"span", inHeads, "The time from the first to the last request of a log. Of a run: the time that is measured, after the warm-up.", "explain trace"},
	{"peak|mean", inHeads, "Requests per second of a log, or of a key: in its busiest second, and on average. Elsewhere a mean is that over replications.", "explain trace"},
	{"resolution", inHeads, "The steps of a log's time stamps. Requests within one step have the same time.", "explain trace"},
	{"change", inHeads, "By how much a figure is above or below that of the base, in %.", "explain p"},
	{"difference", inHeads, "A minus B, with its 95 % interval.", "explain ±"},
	{"A|B", inHeads, "The two settings or documents that a table compares; the heading or a note says which is which.", "explain difference"},
	{"p|paired|unpaired|sign-flip test|Welch's t", inHeads, "The probability of a change this large by chance alone, if nothing had changed. Paired, it is of the differences of each replication on the same traffic, by the sign-flip test; unpaired, of independent runs, by Welch's t.", "explain replications"},
	{"absent|from 0", inHeads, "Of compare: there is no such row or figure; and a change that has no percentage, as the figure was 0.", "explain change"},
	{"replications|replication", inHeads, "How many runs of the scenario a figure is the mean of, each with its own random numbers.", "help scenarios"},
	{"base|counts from", inHeads, "The figure of the baseline, and the smallest change that a gate counts.", "explain change"},
	{"80 %|99 %", inHeads, "The change for the worse that the gate catches with this probability.", "explain p"},
	{"in at least|any", inHeads, "In how many replications a figure must change before a gate can tell the change from chance: any of a figure that is compared directly.", "explain direct"},
	{"now", inHeads, "The figure of this run, beside that of the baseline.", "explain change"},
	{"at worst|allowed", inHeads, "The largest change for the worse that the run cannot exclude, and the one that not_worse allows.", "explain expect"},
	{"expect", inHeads, "The threshold of a metric, under expect: in the scenario.", "help scenarios|explain bad end"},
	{"bad end", inHeads, "The end of the 95 % interval that is unfavourable for the threshold. A gate compares it, not the mean.", "explain ±|help exit-codes"},
	{"verdict", inHeads, "The outcome of a check: passed, failed, unevaluated, improved or unchanged.", "help exit-codes|explain unevaluated"},
	{"check|cannot fail because", inHeads, "A threshold or a comparison of a gate, and why no figure could make it fail.", "help exit-codes"},
	{"promise", inHeads, "Whether a setting keeps its thresholds: those of --promise of tune, on fresh seeds; those under expect in a sweep, at the bad end.", "explain fresh seeds|explain bad end"},
	{"fresh seeds", inHeads, "Seeds that the search did not see. A setting keeps the promise if it does so on at least 95 of 100 of them.", "explain undecided|explain kept"},
	{"option|from|to", inHeads, "An option that tune changes alone: its value in the file, and the one that keeps the promise or comes nearest.", "explain promise|explain not set"},
	{"closest|furthest", inHeads, "Of the table of all scenarios: the row with the smallest error, and the one with the largest.", "explain off by"},
	{"off by", inHeads, "The over-admission and under-admission of that row together, in % of what the reference admits. In front of a backend with a deadline: its goodput lost.", "explain closest|explain goodput_lost_pct"},
	{"expectations held|expectations that hold", inHeads, "How many of the thresholds of a scenario hold, of how many.", "explain expect"},
	{"predicted|closed form|theory", inHeads, "What a formula of theory says of a figure, and the formula. It is given where it holds.", "explain simulated"},
	{"simulated", inHeads, "The figure of a simulation, beside the prediction.", "explain predicted"},
	{"long-run rate", inHeads, "Of explain with a --limit: what is admitted in the long run, as a multiple of the limit.", "explain admitted_over_limit"},
	{"noise of a window|noise", inHeads, "Of explain with a --limit: the standard deviation of what one window admits, in % of the limit.", "explain window_error_sd_pct"},
	{"over-limit of the first three windows", inHeads, "Of explain with a --limit: over-limit at the start, with full buckets and no history, which the other figures leave out.", "explain over_limit_first_windows_pct"},
	{"share|least share", inHeads, "A part of all requests, in %; the smallest of those of all clients.", "explain client_share_min_pct"},
	{"most|refused most", inHeads, "A bound on what a key can be admitted in any minute, and the key that is refused most, if one is.", "explain refused requests"},
	{"refused requests|refused|refused keys|abusers pass", inHeads, "What a limit refuses of the log: requests, and keys with at least one refused request; and the share of the abusers' requests that pass.", "help units"},
	{"part|setting", inHeads, "Of size: a part of the log by time, and the setting that the other parts need; what it refuses in the part says how it may do tomorrow.", "help size"},
	{"burst needed|count needed|own limit|own burst", inHeads, "What a key needs to be refused nothing: the burst or count at the limit of the table; or the limit, of those tried, under which it takes the least in any minute, with its burst.", "explain refused requests"},
	{"rule|rules|findings|not judged|not limited", inHeads, "Of check: the limits of a configuration, each by file, line and name; what is striking about them; what check cannot read or decide; and requests of the log that meet no limit.", "help check"},
	{"without key|keys refused|delayed|longest|at once", inHeads, "Of check: requests that a rule does not count, as they have no key; keys with at least one refused request; requests that wait, with p50, p99 and the longest of these waits; and requests that pass without one.", "explain rule"},
	{"old|new|instead", inHeads, "Of check: the configuration, and the one of --instead.", "help check"},
	{"goal|demand|abusers", inNotes, "Of size: the share of requests or keys that a setting may refuse; the requests that the setting is for; and the keys of --abusers, which are no part of them. Elsewhere demand is what is offered in a window, and what waits at its start.", "help size"},
	{"limit", inHeads, "Requests per window that the policy, or a setting that is tried, allows each key.", "help units"},
	{"burst", inHeads, "The depth of a bucket: requests that are admitted at once after an idle time.", "explain burst_excess"},
	{"bucket", inHeads, "The limit as a token bucket: it holds up to the burst, refills at the rate, and each admitted request takes from it. So burst and rate together can pass within one window.", "explain token-bucket|explain burst"},
	{"unit|set|name|description|format|share that fits|first reason against it", inHeads, "Of a list: the unit of a metric and its set, basic or full; a name and what it is; a log format, the share of sampled lines that it fits, and why it was not chosen.", "help metrics"},

	{"passed", inStatus, "The check was evaluated and holds.", "help exit-codes|explain bad end"},
	{"failed", inStatus, "The check was evaluated and does not hold. Of a request to a real limiter: it ended without a verdict.", "help exit-codes|explain bad end"},
	{"unevaluated|could not be evaluated", inStatus, "The check could not be evaluated: no data, no baseline, too few replications, or an interrupted run. It is not passed.", "help exit-codes|explain no data"},
	{"improved|unchanged", inStatus, "The figure is better than that of the baseline, by enough and not by chance; or equal to it in every replication. Both pass.", "help exit-codes|explain p"},
	{"direct", inStatus, "In place of p: the row draws no random numbers of its own, and its traffic is that of the baseline. So nothing random differs, and any difference is a change of the program.", "explain p|explain counts from"},
	{"keeps the limit|over the limit|possible maximum", inStatus, "Of live: whether the promise that --judge names is kept for sure, or broken for sure. The possible maximum is the most that the answers do not exclude, in the worst window or beyond rate and burst.", "explain certified|help live"},
	{"kept", inStatus, "The setting keeps the promise: of tune on this many fresh seeds, of sweep at the bad end of each figure.", "explain fresh seeds|explain bad end"},
	{"broken", inStatus, "The setting breaks the promise: of tune on too many fresh seeds, of sweep at the bad end of a figure.", "explain fresh seeds|explain bad end"},
	{"unknown", inStatus, "Of sweep: a threshold of the row could not be evaluated, and none is broken. Of live: the answers do not tell, and the line says why.", "explain unevaluated|explain possible"},
	{"undecided", inStatus, "Of tune: the budget was used up, or a metric has no data, before it was known whether a setting keeps the promise.", "explain fresh seeds"},
	{"not tried", inStatus, "Of tune: the setting was not tried on fresh seeds, because the answer does not depend on it. It may keep the promise or break it.", "explain fresh seeds|explain kept"},
	{"not set", inStatus, "Of tune: the setting leaves the option out, so that its default holds.", "explain option"},
	{"admitted|rejected", inStatus, "What a limiter decided about a request: it may pass, or not.", "explain rejected_pct"},
	{"not sent", inStatus, "Of live: a planned request that was never sent.", "explain failed"},
	{"partial", inStatus, "The run was interrupted or stopped: rows may be missing, or have fewer replications.", "help exit-codes"},
	{"·", inHeads, "There is no figure here, because nothing in this row has one: a rule that delays nothing has no delays.", "explain no data"},
	{"none", inStatus, "Of size, under refused most: no key is refused. Of explain, under closed form: the figure has none here, and a note says why.", "explain refused most|explain closed form"},
	{"*", inStatus, "Of size and tune: the row of the answer, among the settings that were tried.", "help size|help tune"},
	{"=|~", inStatus, "Of compare: = says that the figure is the same in every replication, ~ that its change may be chance, as p is above 0.05.", "explain p"},
	{"no data|-", inStatus, "A metric has no samples in this row: a dash in tables. It is never 0, and passes no threshold.", "help metrics|explain unevaluated"},

	{"±|no ±|95 % interval|no interval|one random run", inNotes, "How far the 95 % interval of the mean over replications reaches from it, at most. Without ± all replications were equal, or there is one.", "explain replications"},
	{"saturated window|saturated windows|saturated", inNotes, "A calendar window of a key whose demand is at least the limit. Over-limit looks at these alone; in others no limiter has to refuse.", "explain over_limit_pct"},
	{"stable", inNotes, "Of a row in front of a backend with a deadline: at least 99 % of the requests get a good answer, and the requests in the backend do not grow in number.", "explain overloaded|explain backlogged"},
	{"overloaded", inNotes, "Of a row in front of a backend with a deadline: less than 99 % of the requests get a good answer, because the backend is late or because the limiter refuses.", "explain stable|explain goodput_per_s"},
	{"backlogged", inNotes, "Of a row in front of a backend with a deadline: the requests in the backend and waiting grow in number. In the last tenth of the span they are more than one and a half times those in the fifth tenth, and as many as the servers.", "explain overloaded"},
	{"exact|no random draws", inNotes, "No random draw decides the row, so one run says all.", "explain ±"},
	{"certified|possible", inNotes, "Of a real limiter: what its answers prove, and what they do not exclude. The truth is between them.", "explain failed"},
	{"what it refuses", inNotes, "Of a real limiter: the second verdict, whether it refuses what an exact limiter admits. The first one is whether it keeps the limit.", "explain certified"},
	{"one phase", inNotes, "No random draw decides the row, and the run has one phase of traffic and windows, so it does not say what others give.", "explain exact"},
	{"calendar window|window", inNotes, "A window that begins at a multiple of its length since 1970, as counters of fixed windows count. Over-limit looks at these.", "explain saturated window|explain fixed-window"},
	{"decides in place", inNotes, "A row that calls no server, because the limiter decides where the request arrives.", "explain server_calls_per_s"},
	{"first replication", inNotes, "Pictures over time show one run, the first; figures are means over all.", "explain replications"},
	{"pooled", inNotes, "A figure of the observations of all replications together, such as a ratio of sums or a quantile, not a mean of one figure for each.", "explain replications"},
	{"summary|notes", inNotes, "The last table of a run has a line for each scenario. --notes shows what else can be said below each table.", "help run"},
	{"front|frontier", inNotes, "Of tune, and of the picture of a sweep: the settings that no other is better than in both the cost and the promised figure.", "explain next cheaper"},
	{"worst instant", inNotes, "Of a test with gauge: the span of a window in which most was admitted, with the calls around it.", "explain over_limit_pct"},
	{"headline", inNotes, "The four metrics that tables show first: over-limit, burst excess, over-admission and under-admission.", "help metrics"},
	{"left out", inNotes, "Metrics without a figure in any row, or columns for which the table has no room.", "explain no data"},
	{"worst of all replications|alone", inNotes, "The replication with the largest error of a row, and the command that runs it by itself.", "explain replications"},
	{"the halves of the span differ|halves of the span|halves", inNotes, "The first half of the run gives other figures than the second: the start may be in them. A warm-up leaves it out.", "explain warmup"},
	{"in an outage", inNotes, "Of attack: the figure of the same traffic while servers are away.", "help attack"},
	{"calls in turn|in turn", inNotes, "Of a limiter in Go: its calls never overlap, as gauge.InTurn states. Of attack, in the column client: each request goes to the next client.", "help attack"},
	{"began as|trials", inNotes, "Of attack: the traffic from which the search started before it changed it, and how often it simulated traffic.", "help attack"},
	{"furthest over the limit|closest to the reference|within chance", inNotes, "The rows with the largest errors, and the one with the smallest sum of over- and under-admission. Others are within chance of that if their sum, in brackets, is larger by no more than chance.", "explain over_limit_pct|explain under_admission_pct"},
	{"equal in all replications", inNotes, "Every replication gave this figure, which does not prove that all do: the note says how many may differ.", "explain ±"},
	{"skewed", inNotes, "Replications are spread so unevenly that the interval may be too small; the note says how many would do.", "explain ±"},
	{"in a rollout", inNotes, "Only a part of the clients uses the limiter of the row.", "explain rollout"},
	{"touched", inNotes, "The calls, messages, keys, services or clients that a fault changed in a row. A fault that touched nothing had no effect there.", "explain store-down"},
	{"change: none|next cheaper|nearest|work", inNotes, "Of tune: no change is needed; what the next cheaper setting breaks; the setting that comes nearest if none keeps the promise; what the search took.", "explain fresh seeds"},
	{"wider than the terminal", inNotes, "The table has several blocks. --columns selects metrics, and the variable COLUMNS sets the width.", "help metrics"},
}

func init() {
	for _, k := range check.Kinds {
		printedWords = append(printedWords, printedWord{string(k.Kind), "finding of check", k.Meaning, "help check"})
	}
}

// OutputSee returns the commands to which each word of the output leads.
func OutputSee() map[string][]string {
	see := map[string][]string{}
	for _, p := range printedWords {
		for _, name := range strings.Split(p.names, "|") {
			see[name] = strings.Split(p.see, "|")
		}
	}
	return see
}

// explainPrinted says what is printed under a name.
func explainPrinted(w *strings.Builder, name string, p *printedWord) {
	fmt.Fprintf(w, "%s (in the output: %s)\n%s\nSee\n", name, p.where, usage.Wrap(p.meaning, "", 96))
	for _, command := range strings.Split(p.see, "|") {
		fmt.Fprintf(w, "  limitgauge %s\n", command)
	}
}
