package habemus.lab.experiment;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses scheduled faults such as {@code --crash 5@10} or {@code --partition 1,2/3,4,5@10..40}. */
final class FaultParser {

    private static final String NODE = "(" + NodeParser.PATTERN + ")";
    private static final String LIST = "(" + NodeParser.LIST + ")";
    private static final String AT = "@(" + SimulatedTime.PATTERN + ")";
    private static final String INTERVAL = AT + "(?:\\.\\.(" + SimulatedTime.PATTERN + "))?";
    private static final Pattern CRASH = Pattern.compile(NODE + AT);
    private static final Pattern RESTART = Pattern.compile(NODE + AT + "(:amnesia)?");
    private static final Pattern LOSE_TAIL = Pattern.compile(NODE + AT + "(?::(\\d{1,9}))?");
    private static final Pattern PAUSE = Pattern.compile(NODE + "()" + INTERVAL);
    private static final Pattern PARTITION = Pattern.compile(LIST + "((?:/" + NodeParser.LIST + ")+)" + INTERVAL);
    private static final Pattern CUT = Pattern.compile(LIST + ">" + LIST + INTERVAL);
    private static final String FACTOR = "x(\\d{1,6}(?:\\.\\d{1,6})?)";
    private static final Pattern SLOW = Pattern.compile(NODE + ">" + NODE + INTERVAL + FACTOR);
    private static final Pattern CLOCK_RATE = Pattern.compile(NODE + "()" + INTERVAL + FACTOR);
    private static final Pattern SUSPECT = Pattern.compile(NODE + ">" + NODE + INTERVAL);

    private final RunArguments arguments;
    private final NodeParser nodes;
    private final List<Fault.PlannedFault> faults = new ArrayList<>();

    private FaultParser(RunArguments arguments, NodeParser nodes) {
        this.arguments = arguments;
        this.nodes = nodes;
    }

    /** Sorted by time; faults at the same time in the order of {@link WorldOption}, changes of the membership last. */
    static List<Fault.PlannedFault> parse(
            RunArguments arguments, NodeParser nodes, List<Fault.PlannedFault> membershipChanges) {
        var reader = new FaultParser(arguments, nodes);
        reader.parseEach(WorldOption.CRASH, reader::crash);
        reader.parseEach(WorldOption.LOSE_TAIL, reader::loseTail);
        reader.parseEach(WorldOption.RESTART, reader::restart);
        reader.parseEach(WorldOption.PAUSE, reader::pause);
        arguments.values(WorldOption.PARTITION).forEach(reader::partition);
        arguments.values(WorldOption.CUT).forEach(reader::cut);
        arguments.values(WorldOption.SLOW).forEach(reader::slow);
        reader.parseEach(WorldOption.CLOCK_RATE, reader::clockRate);
        arguments.values(WorldOption.SUSPECT).forEach(reader::suspect);
        arguments.find(WorldOption.HEAL).ifPresent(value -> reader.add(value.time(), new Fault.Heal()));
        reader.faults.addAll(membershipChanges);
        reader.faults.sort(Comparator.comparing(Fault.PlannedFault::at));
        return List.copyOf(reader.faults);
    }

    private interface ValueParser {
        void parse(OptionValue value);
    }

    private void parseEach(WorldOption option, ValueParser valueParser) {
        arguments.parts(option).forEach(valueParser::parse);
    }

    private void crash(OptionValue value) {
        var parts = value.matchOrThrow(CRASH);
        add(value.time(parts.group(2)), new Fault.Crash(nodes.parse(value, parts.group(1))));
    }

    private void restart(OptionValue value) {
        var parts = value.matchOrThrow(RESTART);
        var node = nodes.parse(value, parts.group(1));
        var at = value.time(parts.group(2));
        requireDown(value, node, at, "restarts");
        add(at, new Fault.Restart(node, parts.group(3) != null));
    }

    private void loseTail(OptionValue value) {
        var parts = value.matchOrThrow(LOSE_TAIL);
        var node = nodes.parse(value, parts.group(1));
        var at = value.time(parts.group(2));
        var entries = parts.group(3);
        if ("0".equals(entries)) {
            throw value.invalid("loses no entry", "use a number from 1, or leave it out to lose all");
        }
        requireDown(value, node, at, "takes entries of");
        add(at, new Fault.LoseTail(node, entries == null ? Integer.MAX_VALUE : Integer.parseInt(entries)));
    }

    private void requireDown(OptionValue value, NodeId node, Duration at, String what) {
        boolean down = faults.stream()
                .anyMatch(plannedFault -> plannedFault.fault().equals(new Fault.Crash(node))
                        && plannedFault.at().compareTo(at) <= 0);
        if (!down && !arguments.has(WorldOption.SWARM)) {
            throw value.invalid(
                    what + " " + node + ", which is not down at that time", "add --crash " + node.number() + "@0");
        }
    }

    private void pause(OptionValue value) {
        var parts = value.matchOrThrow(PAUSE);
        var node = nodes.parse(value, parts.group(1));
        addInterval(value, parts, new Fault.Pause(node), new Fault.Resume(node));
    }

    /** Cuts every two groups from each other. A node in no group stays connected. */
    private void partition(OptionValue value) {
        var parts = value.matchOrThrow(PARTITION);
        var groups = new ArrayList<NodeSet>();
        groups.add(NodeSet.of(nodes.parseList(value, parts.group(1))));
        for (String group : parts.group(2).substring(1).split("/", -1)) {
            groups.add(NodeSet.of(nodes.parseList(value, group)));
        }
        for (int i = 0; i < groups.size(); i++) {
            for (NodeSet other : groups.subList(i + 1, groups.size())) {
                cut(value, parts, new Fault.Cut(groups.get(i), other, true));
            }
        }
    }

    private void cut(OptionValue value) {
        var parts = value.matchOrThrow(CUT);
        var from = NodeSet.of(nodes.parseList(value, parts.group(1)));
        var to = NodeSet.of(nodes.parseList(value, parts.group(2)));
        cut(value, parts, new Fault.Cut(from, to, false));
    }

    private void cut(OptionValue value, Matcher parts, Fault.Cut cut) {
        for (NodeId both : cut.from().intersection(cut.to())) {
            throw value.invalid("has " + both + " on both sides", "name each node on one side only");
        }
        addInterval(value, parts, cut, new Fault.HealCut(cut));
    }

    private void slow(OptionValue value) {
        var parts = value.matchOrThrow(SLOW);
        var from = nodes.parse(value, parts.group(1));
        var to = nodes.parse(value, parts.group(2));
        addInterval(value, parts, new Fault.Slow(from, to, factor(value, parts)), new Fault.Slow(from, to, 1));
    }

    private void clockRate(OptionValue value) {
        var parts = value.matchOrThrow(CLOCK_RATE);
        var node = nodes.parse(value, parts.group(1));
        addInterval(value, parts, new Fault.ClockRate(node, factor(value, parts)), new Fault.ClockRate(node, 1));
    }

    private static double factor(OptionValue value, Matcher parts) {
        double factor = Double.parseDouble(parts.group(5));
        if (factor <= 0) {
            throw value.invalid("has the factor 0", "use a factor greater than 0");
        }
        return factor;
    }

    private void suspect(OptionValue value) {
        var parts = value.matchOrThrow(SUSPECT);
        var node = nodes.parse(value, parts.group(1));
        var peer = nodes.parse(value, parts.group(2));
        addInterval(value, parts, new Fault.WrongSuspicion(node, peer), new Fault.Correct(node, peer));
    }

    /** Groups 3 and 4 of {@code parts} hold the start and, optionally, the end. */
    private void addInterval(OptionValue value, Matcher parts, Fault fault, Fault end) {
        Duration from = value.time(parts.group(3));
        add(from, fault);
        var until = parts.group(4);
        if (until != null) {
            if (value.time(until).compareTo(from) <= 0) {
                throw value.invalid(
                        "ends before it begins", "write " + value.option().example());
            }
            add(value.time(until), end);
        }
    }

    private void add(Duration at, Fault fault) {
        faults.add(new Fault.PlannedFault(at, fault));
    }
}
