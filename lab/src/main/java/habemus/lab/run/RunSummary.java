package habemus.lab.run;

import habemus.lab.diagram.text.LogText;
import habemus.lab.experiment.MessageFaultParser;
import habemus.lab.experiment.RequiredProperties;
import habemus.lab.experiment.SimulatedTime;
import habemus.lab.table.AnsiColors;
import habemus.lab.trace.TimeScale;
import habemus.lab.trace.TraceWording;
import habemus.protocol.NodeId;
import habemus.simulate.LogSummary;
import habemus.simulate.RunResult;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A run in a few lines: counts, grants or leaders, waiters, and a verdict for every property. */
public final class RunSummary {

    private static final int MIN_LABEL_WIDTH = 23;
    private static final int MAX_LISTED = 12;

    private final RunResult result;
    private final RequiredProperties required;
    private final TimeScale timeScale;
    private final AnsiColors colors;
    private final int labelWidth;
    private final List<String> lines = new ArrayList<>();

    private RunSummary(RunResult result, RunView view, AnsiColors colors) {
        this.result = result;
        required = view.required();
        timeScale = view.timeScale();
        this.colors = colors;
        labelWidth = result.verdicts().keySet().stream()
                .mapToInt(property -> property.toString().length() + 2)
                .reduce(MIN_LABEL_WIDTH, Math::max);
    }

    public static List<String> of(Problem problem, RunResult result, RunView view, AnsiColors colors) {
        var runSummary = new RunSummary(result, view, colors);
        runSummary.row("ended", runSummary.end());
        runSummary.row("messages", runSummary.messages());
        if (result.heartbeats() > 0) {
            runSummary.row("heartbeats", Long.toString(result.heartbeats()));
        }
        if (problem == Problem.MUTEX) {
            runSummary.row("granted", runSummary.grants());
            if (result.resource().accepted() + result.resource().refused() > 0) {
                runSummary.row("writes", runSummary.writes());
            }
            runSummary.row("largest bypass", Integer.toString(result.largestBypass()));
        } else if (problem == Problem.ELECTION) {
            runSummary.row("leaders", runSummary.leaders());
        } else if (problem == Problem.LOG) {
            runSummary.row("leaders", runSummary.leadersByTerm());
            runSummary.logCalls();
        }
        if (result.heartbeats() > 0) {
            runSummary.row("suspicions", runSummary.suspicions());
        }
        if (!result.waiters().isEmpty()) {
            runSummary.row("still waiting", runSummary.waiting());
        }
        if (!result.faultsWithoutEffect().isEmpty()) {
            runSummary.row("without effect", runSummary.faultsWithoutEffect());
        }
        runSummary.verdicts();
        if (problem == Problem.LOG) {
            runSummary.lines.add("");
            runSummary.lines.addAll(LogText.draw(result.log().logs(), view.names(), colors.enabled()));
        }
        return runSummary.lines.stream().map(view.names()::in).toList();
    }

    private void row(String label, String text) {
        lines.add(label + " ".repeat(labelWidth - label.length()) + text);
    }

    private String end() {
        var when = switch (timeScale) {
            case MILLIS -> " after " + timeScale.when(result.micros()) + " and " + result.steps() + " steps";
            case STEPS -> " after " + timeScale.span(result.micros());
        };
        return switch (result.end()) {
            case REST -> "at rest" + when;
            case IDLE -> "idle" + when + ": all requests were granted, and the circulating messages change nothing";
            case QUIET -> "quiet" + when + ": only heartbeats for a long time";
            case SETTLED -> "settled" + when;
            case LIMIT -> "at the limit" + when + ", not finished: see --steps and --until";
            case VIOLATION -> "at a violation" + when;
            case LAST_MOVE -> "with the last move given" + when;
            case BUG ->
                colors.red(
                        "by a bug" + when + ": " + String.valueOf(result.bug()).replaceAll("\\s+", " "));
        };
    }

    private String messages() {
        if (result.messages() == 0) {
            return "0";
        }
        var types = new TreeMap<>(result.messagesByType())
                .entrySet().stream()
                        .map(type -> type.getKey() + " " + type.getValue())
                        .collect(Collectors.joining(", "));
        return result.messages() + ": " + types + perEntry();
    }

    private String perEntry() {
        if (result.entries() == 0) {
            return "";
        }
        long hundredths = Math.round(100.0 * result.messages() / result.entries());
        return "; " + SimulatedTime.formatMillis(hundredths * 10) + " an entry";
    }

    private String grants() {
        var first = result.grants().stream()
                .limit(MAX_LISTED)
                .map(grant -> grant.node() + " at " + timeScale.when(grant.micros()))
                .collect(Collectors.joining(", "));
        long more = result.entries() - Math.min(MAX_LISTED, result.grants().size());
        return result.entries() == 0 ? "none" : more > 0 ? first + " and " + more + " more" : first;
    }

    private String writes() {
        var protectedResource = result.resource();
        var stale = protectedResource.stale() == 0
                ? ""
                : colors.red(" (" + protectedResource.stale() + " over a newer write)");
        return protectedResource.accepted() + " accepted" + stale + ", " + protectedResource.refused() + " refused";
    }

    private String leaders() {
        record Reign(NodeId leader, long term) {}
        Map<Reign, List<RunResult.LeaderAnnouncement>> reigns = new LinkedHashMap<>();
        for (var leaderAnnouncement : result.announcements()) {
            reigns.computeIfAbsent(
                            new Reign(leaderAnnouncement.leader(), leaderAnnouncement.term()), any -> new ArrayList<>())
                    .add(leaderAnnouncement);
        }
        var first = new ArrayList<String>();
        reigns.forEach((reign, named) -> {
            var since =
                    namers(named) + "from " + timeScale.when(named.getFirst().micros());
            first.add(reign.leader + " in term " + reign.term + " (" + since + ")");
        });
        var shown = String.join(", ", first.subList(0, Math.min(MAX_LISTED, first.size())));
        int more = first.size() - MAX_LISTED;
        return first.isEmpty() ? "none" : more > 0 ? shown + " and " + more + " more" : shown;
    }

    /** The nodes that led, each from when it knew: followers learn of a leader by its first message. */
    private String leadersByTerm() {
        var all = result.announcements().stream()
                .filter(announcement -> announcement.node().equals(announcement.leader()))
                .map(announcement -> announcement.leader() + " in term " + announcement.term() + " from "
                        + timeScale.when(announcement.micros()))
                .toList();
        var shown = String.join(", ", all.subList(0, Math.min(MAX_LISTED, all.size())));
        int more = all.size() - MAX_LISTED;
        return all.isEmpty() ? "none" : more > 0 ? shown + " and " + more + " more" : shown;
    }

    private void logCalls() {
        var log = result.log();
        row("proposals", count(log.proposals(), "committed"));
        if (log.reads().made() > 0) {
            row("reads", count(log.reads(), "answered"));
        }
        if (log.memberChanges().made() > 0) {
            row("member changes", count(log.memberChanges(), "committed"));
        }
        if (log.snapshots() > 0) {
            row("snapshots", Long.toString(log.snapshots()));
        }
        row(
                "commit index",
                log.logs().stream()
                        .limit(MAX_LISTED)
                        .map(nodeLog -> nodeLog.node() + " " + nodeLog.view().commitIndex()
                                + (nodeLog.isDown() ? " (down)" : ""))
                        .collect(Collectors.joining(", ")));
    }

    private static String count(LogSummary.CallCount count, String done) {
        var parts = new ArrayList<String>();
        parts.add(count.done() + " " + done);
        addIfAny(parts, count.rejected(), "rejected");
        addIfAny(parts, count.indeterminate(), "indeterminate");
        addIfAny(parts, count.open(), "open");
        return String.join(", ", parts);
    }

    private static void addIfAny(List<String> parts, long count, String what) {
        if (count > 0) {
            parts.add(count + " " + what);
        }
    }

    /** Empty if the list of elections is truncated. */
    private String namers(List<RunResult.LeaderAnnouncement> named) {
        boolean cut = result.elections() > result.announcements().size();
        var nodes = named.stream()
                .map(RunResult.LeaderAnnouncement::node)
                .distinct()
                .toList();
        return cut ? "" : "announced by " + names(nodes) + " ";
    }

    private String names(List<NodeId> nodes) {
        return nodes.size() > MAX_LISTED
                ? nodes.size() + " nodes"
                : nodes.stream().sorted().map(NodeId::toString).collect(Collectors.joining(" "));
    }

    private String suspicions() {
        var first = result.suspicionChanges().stream()
                .limit(MAX_LISTED)
                .map(suspicionChange -> suspicionChange.node()
                        + (suspicionChange.suspected() ? " suspects " : " trusts ") + suspicionChange.peer() + " at "
                        + timeScale.when(suspicionChange.micros()))
                .collect(Collectors.joining(", "));
        int more = result.suspicionChanges().size() - MAX_LISTED;
        return first.isEmpty() ? "none" : more > 0 ? first + " and " + more + " more" : first;
    }

    private String waiting() {
        var first = result.waiters().stream()
                .limit(MAX_LISTED)
                .map(waiter -> waiter.node() + " in " + TraceWording.describePhase(waiter.state()))
                .collect(Collectors.joining(", "));
        int more = result.waiters().size() - MAX_LISTED;
        return more > 0 ? first + " and " + more + " more" : first;
    }

    private String faultsWithoutEffect() {
        return result.faultsWithoutEffect().stream()
                .map(fault -> MessageFaultParser.format(fault) + " (message " + fault.number() + " is never in flight)")
                .collect(Collectors.joining(", "));
    }

    private void verdicts() {
        var verdicts = result.verdicts();
        for (var property : required.ordered(verdicts.keySet())) {
            var verdict = Objects.requireNonNull(verdicts.get(property));
            row(
                    property.toString(),
                    required.contains(property)
                            ? describe(property, verdict)
                            : colors.faint(remark(property, verdict)));
        }
    }

    private String describe(Property property, Verdict verdict) {
        return switch (verdict) {
            case HOLDS -> colors.green(verdict.toString());
            case VIOLATED -> colors.red(verdict + ": " + property.sentence());
            case OPEN -> colors.faint(verdict.toString());
        };
    }

    /** Without a bound, the largest bypass is all that can be said about bounded waiting. */
    private String remark(Property property, Verdict verdict) {
        return Verdict.notGuaranteed(
                property == Property.BOUNDED_WAITING && verdict == Verdict.OPEN
                        ? "largest bypass " + result.largestBypass()
                        : verdict.answer());
    }
}
