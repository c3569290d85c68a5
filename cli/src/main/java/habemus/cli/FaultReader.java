package habemus.cli;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what goes wrong and when, such as {@code --crash 5@10} or {@code --partition 1,2/3,4,5@10..40}. */
final class FaultReader {

    private static final String NODE = "(" + Nodes.PATTERN + ")";
    private static final String LIST = "(" + Nodes.LIST + ")";
    private static final String AT = "@(" + Times.PATTERN + ")";
    private static final String WHILE = AT + "(?:\\.\\.(" + Times.PATTERN + "))?";
    private static final Pattern CRASH = Pattern.compile(NODE + AT);
    private static final Pattern RESTART = Pattern.compile(NODE + AT + "(:amnesia)?");
    private static final Pattern PAUSE = Pattern.compile(NODE + "()" + WHILE);
    private static final Pattern PARTITION = Pattern.compile(LIST + "((?:/" + Nodes.LIST + ")+)" + WHILE);
    private static final Pattern CUT = Pattern.compile(LIST + ">" + LIST + WHILE);
    private static final Pattern SLOW = Pattern.compile(NODE + ">" + NODE + WHILE + "x(\\d{1,6}(?:\\.\\d{1,6})?)");
    private static final Pattern SUSPECT = Pattern.compile(NODE + ">" + NODE + WHILE);

    private final RunWords words;
    private final Nodes nodes;
    private final List<Fault.Planned> faults = new ArrayList<>();

    private FaultReader(RunWords words, Nodes nodes) {
        this.words = words;
        this.nodes = nodes;
    }

    /** By time; those of one moment in the order of {@link WorldOption}. */
    static List<Fault.Planned> read(RunWords words, Nodes nodes) {
        var reader = new FaultReader(words, nodes);
        reader.each(WorldOption.CRASH, reader::crash);
        reader.each(WorldOption.RESTART, reader::restart);
        reader.each(WorldOption.PAUSE, reader::pause);
        words.all(WorldOption.PARTITION).forEach(reader::partition);
        words.all(WorldOption.CUT).forEach(reader::cut);
        words.all(WorldOption.SLOW).forEach(reader::slow);
        words.all(WorldOption.SUSPECT).forEach(reader::suspect);
        words.ifGiven(WorldOption.HEAL).ifPresent(given -> reader.add(given.time(), new Fault.Heal()));
        reader.faults.sort(Comparator.comparing(Fault.Planned::at));
        return List.copyOf(reader.faults);
    }

    private interface Reading {
        void read(Given given);
    }

    private void each(WorldOption option, Reading reading) {
        for (Given given : words.all(option)) {
            for (String part : given.text().split(",", -1)) {
                reading.read(given.part(part));
            }
        }
    }

    private void crash(Given given) {
        var parts = given.match(CRASH);
        add(given.time(parts.group(2)), new Fault.Crash(nodes.read(given, parts.group(1))));
    }

    private void restart(Given given) {
        var parts = given.match(RESTART);
        var node = nodes.read(given, parts.group(1));
        var at = given.time(parts.group(2));
        boolean down = faults.stream()
                .anyMatch(planned -> planned.fault().equals(new Fault.Crash(node))
                        && planned.at().compareTo(at) <= 0);
        if (!down && !words.has(WorldOption.SWARM)) {
            throw given.wrong(
                    "restarts " + node + ", which is not down then",
                    "let it crash before, as in --crash " + node.number() + "@0");
        }
        add(at, new Fault.Restart(node, parts.group(3) != null));
    }

    private void pause(Given given) {
        var parts = given.match(PAUSE);
        var node = nodes.read(given, parts.group(1));
        during(given, parts, new Fault.Pause(node), new Fault.Resume(node));
    }

    /** Every two groups are cut off from each other; who is in none is not. */
    private void partition(Given given) {
        var parts = given.match(PARTITION);
        var groups = new ArrayList<NodeSet>();
        groups.add(NodeSet.of(nodes.list(given, parts.group(1))));
        for (String group : parts.group(2).substring(1).split("/", -1)) {
            groups.add(NodeSet.of(nodes.list(given, group)));
        }
        for (int i = 0; i < groups.size(); i++) {
            for (NodeSet other : groups.subList(i + 1, groups.size())) {
                cut(given, parts, new Fault.Cut(groups.get(i), other, true));
            }
        }
    }

    private void cut(Given given) {
        var parts = given.match(CUT);
        var from = NodeSet.of(nodes.list(given, parts.group(1)));
        var to = NodeSet.of(nodes.list(given, parts.group(2)));
        cut(given, parts, new Fault.Cut(from, to, false));
    }

    private void cut(Given given, Matcher parts, Fault.Cut cut) {
        for (NodeId both : cut.from().and(cut.to())) {
            throw given.wrong("has " + both + " on both sides", "a node is on one side of a cut");
        }
        during(given, parts, cut, new Fault.Mend(cut));
    }

    private void slow(Given given) {
        var parts = given.match(SLOW);
        var from = nodes.read(given, parts.group(1));
        var to = nodes.read(given, parts.group(2));
        double factor = Double.parseDouble(parts.group(5));
        if (factor <= 0) {
            throw given.wrong("makes messages take no time", "the factor is above 0");
        }
        during(given, parts, new Fault.Slow(from, to, factor), new Fault.Slow(from, to, 1));
    }

    private void suspect(Given given) {
        var parts = given.match(SUSPECT);
        var node = nodes.read(given, parts.group(1));
        var peer = nodes.read(given, parts.group(2));
        during(given, parts, new Fault.Mistake(node, peer), new Fault.Correct(node, peer));
    }

    /** The third and fourth group of {@code parts} say from when and, if they do, until when. */
    private void during(Given given, Matcher parts, Fault fault, Fault end) {
        Duration from = given.time(parts.group(3));
        add(from, fault);
        var until = parts.group(4);
        if (until != null) {
            if (given.time(until).compareTo(from) <= 0) {
                throw given.wrong(
                        "ends before it begins",
                        "write it as in " + given.option().example());
            }
            add(given.time(until), end);
        }
    }

    private void add(Duration at, Fault fault) {
        faults.add(new Fault.Planned(at, fault));
    }
}
