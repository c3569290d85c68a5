package habemus.cli.experiment;

import habemus.cli.options.DurationOptions;
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
    private static final String AT = "@(" + DurationOptions.PATTERN + ")";
    private static final String INTERVAL = AT + "(?:\\.\\.(" + DurationOptions.PATTERN + "))?";
    private static final Pattern CRASH = Pattern.compile(NODE + AT);
    private static final Pattern RESTART = Pattern.compile(NODE + AT + "(:amnesia)?");
    private static final Pattern LOSE_TAIL = Pattern.compile(NODE + AT + "(?::(\\d{1,9}))?");
    private static final Pattern PAUSE = Pattern.compile(NODE + "()" + INTERVAL);
    private static final Pattern PARTITION = Pattern.compile(LIST + "((?:/" + NodeParser.LIST + ")+)" + INTERVAL);
    private static final Pattern CUT = Pattern.compile(LIST + ">" + LIST + INTERVAL);
    private static final Pattern SLOW = Pattern.compile(NODE + ">" + NODE + INTERVAL + "x(\\d{1,6}(?:\\.\\d{1,6})?)");
    private static final Pattern SUSPECT = Pattern.compile(NODE + ">" + NODE + INTERVAL);

    private final RunArguments arguments;
    private final NodeParser nodeParser;
    private final List<Fault.PlannedFault> faults = new ArrayList<>();

    private FaultParser(RunArguments arguments, NodeParser nodeParser) {
        this.arguments = arguments;
        this.nodeParser = nodeParser;
    }

    /** Sorted by time; faults at the same time in the order of {@link WorldOption}. */
    static List<Fault.PlannedFault> parse(RunArguments arguments, NodeParser nodeParser) {
        var reader = new FaultParser(arguments, nodeParser);
        reader.parseEach(WorldOption.CRASH, reader::crash);
        reader.parseEach(WorldOption.LOSE_TAIL, reader::loseTail);
        reader.parseEach(WorldOption.RESTART, reader::restart);
        reader.parseEach(WorldOption.PAUSE, reader::pause);
        arguments.values(WorldOption.PARTITION).forEach(reader::partition);
        arguments.values(WorldOption.CUT).forEach(reader::cut);
        arguments.values(WorldOption.SLOW).forEach(reader::slow);
        arguments.values(WorldOption.SUSPECT).forEach(reader::suspect);
        arguments.find(WorldOption.HEAL).ifPresent(optionValue -> reader.add(optionValue.time(), new Fault.Heal()));
        reader.faults.sort(Comparator.comparing(Fault.PlannedFault::at));
        return List.copyOf(reader.faults);
    }

    private interface ValueParser {
        void parse(OptionValue optionValue);
    }

    private void parseEach(WorldOption option, ValueParser valueParser) {
        for (OptionValue optionValue : arguments.values(option)) {
            for (String part : optionValue.text().split(",", -1)) {
                valueParser.parse(optionValue.withText(part));
            }
        }
    }

    private void crash(OptionValue optionValue) {
        var parts = optionValue.matchOrThrow(CRASH);
        add(optionValue.time(parts.group(2)), new Fault.Crash(nodeParser.parse(optionValue, parts.group(1))));
    }

    private void restart(OptionValue optionValue) {
        var parts = optionValue.matchOrThrow(RESTART);
        var node = nodeParser.parse(optionValue, parts.group(1));
        var at = optionValue.time(parts.group(2));
        requireDown(optionValue, node, at, "restarts");
        add(at, new Fault.Restart(node, parts.group(3) != null));
    }

    private void loseTail(OptionValue optionValue) {
        var parts = optionValue.matchOrThrow(LOSE_TAIL);
        var node = nodeParser.parse(optionValue, parts.group(1));
        var at = optionValue.time(parts.group(2));
        var entries = parts.group(3);
        if ("0".equals(entries)) {
            throw optionValue.invalid("loses no entry", "use a number from 1, or leave it out to lose all");
        }
        requireDown(optionValue, node, at, "takes entries of");
        add(at, new Fault.LoseTail(node, entries == null ? Integer.MAX_VALUE : Integer.parseInt(entries)));
    }

    private void requireDown(OptionValue optionValue, NodeId node, Duration at, String what) {
        boolean down = faults.stream()
                .anyMatch(plannedFault -> plannedFault.fault().equals(new Fault.Crash(node))
                        && plannedFault.at().compareTo(at) <= 0);
        if (!down && !arguments.has(WorldOption.SWARM)) {
            throw optionValue.invalid(
                    what + " " + node + ", which is not down at that time", "add --crash " + node.number() + "@0");
        }
    }

    private void pause(OptionValue optionValue) {
        var parts = optionValue.matchOrThrow(PAUSE);
        var node = nodeParser.parse(optionValue, parts.group(1));
        addInterval(optionValue, parts, new Fault.Pause(node), new Fault.Resume(node));
    }

    /** Cuts every two groups from each other. A node in no group stays connected. */
    private void partition(OptionValue optionValue) {
        var parts = optionValue.matchOrThrow(PARTITION);
        var groups = new ArrayList<NodeSet>();
        groups.add(NodeSet.of(nodeParser.parseList(optionValue, parts.group(1))));
        for (String group : parts.group(2).substring(1).split("/", -1)) {
            groups.add(NodeSet.of(nodeParser.parseList(optionValue, group)));
        }
        for (int i = 0; i < groups.size(); i++) {
            for (NodeSet other : groups.subList(i + 1, groups.size())) {
                cut(optionValue, parts, new Fault.Cut(groups.get(i), other, true));
            }
        }
    }

    private void cut(OptionValue optionValue) {
        var parts = optionValue.matchOrThrow(CUT);
        var from = NodeSet.of(nodeParser.parseList(optionValue, parts.group(1)));
        var to = NodeSet.of(nodeParser.parseList(optionValue, parts.group(2)));
        cut(optionValue, parts, new Fault.Cut(from, to, false));
    }

    private void cut(OptionValue optionValue, Matcher parts, Fault.Cut cut) {
        for (NodeId both : cut.from().intersection(cut.to())) {
            throw optionValue.invalid("has " + both + " on both sides", "name each node on one side only");
        }
        addInterval(optionValue, parts, cut, new Fault.HealCut(cut));
    }

    private void slow(OptionValue optionValue) {
        var parts = optionValue.matchOrThrow(SLOW);
        var from = nodeParser.parse(optionValue, parts.group(1));
        var to = nodeParser.parse(optionValue, parts.group(2));
        double factor = Double.parseDouble(parts.group(5));
        if (factor <= 0) {
            throw optionValue.invalid("has the factor 0", "use a factor greater than 0");
        }
        addInterval(optionValue, parts, new Fault.Slow(from, to, factor), new Fault.Slow(from, to, 1));
    }

    private void suspect(OptionValue optionValue) {
        var parts = optionValue.matchOrThrow(SUSPECT);
        var node = nodeParser.parse(optionValue, parts.group(1));
        var peer = nodeParser.parse(optionValue, parts.group(2));
        addInterval(optionValue, parts, new Fault.WrongSuspicion(node, peer), new Fault.Correct(node, peer));
    }

    /** Groups 3 and 4 of {@code parts} hold the start and, optionally, the end. */
    private void addInterval(OptionValue optionValue, Matcher parts, Fault fault, Fault end) {
        Duration from = optionValue.time(parts.group(3));
        add(from, fault);
        var until = parts.group(4);
        if (until != null) {
            if (optionValue.time(until).compareTo(from) <= 0) {
                throw optionValue.invalid(
                        "ends before it begins", "write " + optionValue.option().example());
            }
            add(optionValue.time(until), end);
        }
    }

    private void add(Duration at, Fault fault) {
        faults.add(new Fault.PlannedFault(at, fault));
    }
}
