package habemus.cli;

import habemus.lab.trace.Words;
import habemus.protocol.NodeId;
import habemus.simulate.Outcome;
import habemus.world.Problem;
import habemus.world.Verdict;
import habemus.world.Wording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What became of a run, in a few lines: counts, who got in or leads, the verdict of every property, who waits. */
final class Summary {

    private static final int LABEL = 23;
    private static final int LISTED = 12;

    private final Outcome outcome;
    private final Paint paint;
    private final List<String> lines = new ArrayList<>();

    private Summary(Outcome outcome, Paint paint) {
        this.outcome = outcome;
        this.paint = paint;
    }

    static List<String> of(Problem problem, Outcome outcome, Paint paint) {
        var summary = new Summary(outcome, paint);
        summary.row("ended", summary.end());
        summary.row("messages", summary.messages());
        if (outcome.heartbeats() > 0) {
            summary.row("heartbeats", Long.toString(outcome.heartbeats()));
        }
        if (problem == Problem.MUTEX) {
            summary.row("granted", summary.grants());
            if (outcome.resource().accepted() + outcome.resource().refused() > 0) {
                summary.row("writes", summary.writes());
            }
            summary.row("largest bypass", Integer.toString(outcome.largestBypass()));
        } else if (problem == Problem.ELECTION) {
            summary.row("leaders", summary.leaders());
        }
        if (outcome.heartbeats() > 0) {
            summary.row("suspicions", summary.doubts());
        }
        if (!outcome.waiting().isEmpty()) {
            summary.row("still waiting", summary.waiting());
        }
        summary.verdicts();
        return List.copyOf(summary.lines);
    }

    private void row(String label, String text) {
        lines.add(label + " ".repeat(LABEL - label.length()) + text);
    }

    private String end() {
        var when = " after " + Times.text(outcome.micros()) + " ms and " + outcome.steps() + " steps";
        return switch (outcome.end()) {
            case REST -> "at rest" + when;
            case IDLE -> "idle" + when + ": everybody was served, and what goes round changes nothing";
            case QUIET -> "quiet" + when + ": heartbeats go on, and nothing else has happened for long";
            case SETTLED -> "settled" + when;
            case LIMIT -> "at the limit" + when + ", with more to come: see --steps and --until";
            case VIOLATION -> "at a violation" + when;
            case LAST_MOVE -> "with the last move given" + when;
            case BUG ->
                paint.red(
                        "by a bug" + when + ": " + String.valueOf(outcome.bug()).replaceAll("\\s+", " "));
        };
    }

    private String messages() {
        if (outcome.messages() == 0) {
            return "0";
        }
        var types = new TreeMap<>(outcome.messagesByType())
                .entrySet().stream()
                        .map(type -> type.getKey() + " " + type.getValue())
                        .collect(Collectors.joining(", "));
        return outcome.messages() + ": " + types + perEntry();
    }

    private String perEntry() {
        if (outcome.entries() == 0) {
            return "";
        }
        long hundredths = Math.round(100.0 * outcome.messages() / outcome.entries());
        return "; " + Times.text(hundredths * 10) + " an entry";
    }

    private String grants() {
        var first = outcome.grants().stream()
                .limit(LISTED)
                .map(grant -> grant.node() + " at " + Times.text(grant.micros()) + " ms")
                .collect(Collectors.joining(", "));
        long more = outcome.entries() - Math.min(LISTED, outcome.grants().size());
        return outcome.entries() == 0 ? "nobody" : more > 0 ? first + " and " + more + " more" : first;
    }

    private String writes() {
        var resource = outcome.resource();
        var stale = resource.stale() == 0 ? "" : paint.red(" (" + resource.stale() + " over a newer one)");
        return resource.accepted() + " accepted" + stale + ", " + resource.refused() + " refused";
    }

    private String leaders() {
        record Reign(NodeId leader, long term) {}
        Map<Reign, List<Outcome.Elected>> reigns = new LinkedHashMap<>();
        for (var elected : outcome.elected()) {
            reigns.computeIfAbsent(new Reign(elected.leader(), elected.term()), any -> new ArrayList<>())
                    .add(elected);
        }
        var first = new ArrayList<String>();
        reigns.forEach((reign, named) -> {
            var since = namers(named) + "from " + Times.text(named.getFirst().micros()) + " ms";
            first.add(reign.leader + " in term " + reign.term + " (" + since + ")");
        });
        var shown = String.join(", ", first.subList(0, Math.min(LISTED, first.size())));
        int more = first.size() - LISTED;
        return first.isEmpty() ? "nobody" : more > 0 ? shown + " and " + more + " more" : shown;
    }

    /** Nothing if not all are listed. */
    private String namers(List<Outcome.Elected> named) {
        boolean cut = outcome.elections() > outcome.elected().size();
        var nodes = named.stream().map(Outcome.Elected::node).distinct().toList();
        return cut ? "" : "named by " + names(nodes) + " ";
    }

    private String names(List<NodeId> nodes) {
        return nodes.size() > LISTED
                ? nodes.size() + " nodes"
                : nodes.stream().sorted().map(NodeId::toString).collect(Collectors.joining(" "));
    }

    private String doubts() {
        var first = outcome.doubts().stream()
                .limit(LISTED)
                .map(doubt -> doubt.node() + (doubt.suspected() ? " suspects " : " trusts ") + doubt.peer() + " at "
                        + Times.text(doubt.micros()) + " ms")
                .collect(Collectors.joining(", "));
        int more = outcome.doubts().size() - LISTED;
        return first.isEmpty() ? "none" : more > 0 ? first + " and " + more + " more" : first;
    }

    private String waiting() {
        var first = outcome.waiting().stream()
                .limit(LISTED)
                .map(one -> one.node() + " in " + Wording.of(Words.phase(one.state())))
                .collect(Collectors.joining(", "));
        int more = outcome.waiting().size() - LISTED;
        return more > 0 ? first + " and " + more + " more" : first;
    }

    private void verdicts() {
        outcome.verdicts()
                .forEach((property, verdict) -> row(
                        property.toString(),
                        switch (verdict) {
                            case Verdict.HOLDS -> paint.green(verdict.toString());
                            case Verdict.VIOLATED -> paint.red(verdict + ": " + property.sentence());
                            case Verdict.OPEN -> paint.faint(verdict.toString());
                        }));
    }
}
