package habemus.cli.serve;

import habemus.catalogue.AlgorithmSpec;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.ParsedOptions;
import habemus.lab.command.CommandException;
import habemus.protocol.NodeId;
import habemus.service.algorithm.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.ParseResult;

/**
 * A node that joins or leaves a cluster of {@code habemus up}.
 *
 * @param joins whether the node joins; else it leaves
 * @param at after all nodes are up
 */
record PlannedChange(int node, boolean joins, Duration at) {

    private static final Pattern SYNTAX = Pattern.compile("n?([1-9]\\d?)@(\\S+)");

    private String option() {
        return joins ? "--join" : "--leave";
    }

    /**
     * The changes of {@code --join} and {@code --leave}, by time.
     *
     * @param specs of the locks and of the elections
     * @throws CommandException if a change is not possible
     */
    static List<PlannedChange> parse(ParseResult parsed, int nodes, List<AlgorithmSpec> specs) {
        var changes = new ArrayList<PlannedChange>();
        for (boolean joins : List.of(true, false)) {
            ParsedOptions.text(parsed, joins ? "--join" : "--leave").stream()
                    .flatMap(text -> List.of(text.split(",", -1)).stream())
                    .map(part -> parse(part.strip(), joins))
                    .forEach(changes::add);
        }
        changes.sort(Comparator.comparing(PlannedChange::at));
        var members = new HashSet<Integer>();
        for (int node = 1; node <= nodes; node++) {
            members.add(node);
        }
        var used = new HashSet<>(members);
        for (var change : changes) {
            change.require(nodes, specs);
            if (change.joins ? !used.add(change.node) : !members.remove(change.node)) {
                throw change.invalid(
                        change.joins ? "is or was a member (a number is used once)" : "is no member at that time",
                        change.joins ? "use a new number: --join " + (nodes + 1) + "@2s" : "name a member");
            }
            if (change.joins) {
                members.add(change.node);
            }
        }
        return changes;
    }

    private static PlannedChange parse(String text, boolean joins) {
        var matcher = SYNTAX.matcher(text);
        var option = joins ? "--join" : "--leave";
        try {
            if (matcher.matches()) {
                var at = DurationOptions.duration().parser().apply(matcher.group(2));
                return new PlannedChange(Integer.parseInt(matcher.group(1)), joins, at);
            }
        } catch (IllegalArgumentException invalid) {
            // the same error
        }
        throw CommandException.usage(
                option + " must be NODE@TIME, was '" + text + "'", "write " + option + (joins ? " 4@2s" : " 2@5s"));
    }

    private void require(int nodes, List<AlgorithmSpec> specs) {
        Refusal.of(specs, nodes, new NodeId(node), joins).ifPresent(refusal -> {
            throw CommandException.usage(option() + ": " + refusal.message(), refusal.hint());
        });
        if (!joins && node == 1) {
            throw invalid("runs the membership service, and cannot leave", "let another node leave");
        }
    }

    private CommandException invalid(String what, String hint) {
        return CommandException.usage(option() + ": n" + node + " " + what, hint);
    }
}
