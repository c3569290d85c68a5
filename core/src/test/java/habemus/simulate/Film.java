package habemus.simulate;

import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.world.Detector;
import habemus.world.Fault;
import habemus.world.Happening;
import habemus.world.Latency;
import habemus.world.Topology;
import habemus.world.TraceLine;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A run with all that it wrote down, and short words for what tests ask about it. Times are microseconds. */
record Film(Outcome outcome, List<TraceLine> lines) {

    static Film of(Protocol<?, ?> protocol, World world) {
        return of(protocol, world, 1);
    }

    static Film of(Protocol<?, ?> protocol, World world, long seed) {
        return of(protocol, world, seed, Limits.AMPLE);
    }

    static Film of(Protocol<?, ?> protocol, World world, long seed, Limits limits) {
        var lines = new ArrayList<TraceLine>();
        var outcome = Simulation.of(protocol, world, seed)
                .within(limits)
                .tracing(lines::add)
                .run();
        return new Film(outcome, List.copyOf(lines));
    }

    /** Everybody can talk to everybody, every message takes a millisecond, nobody wants anything or is suspected. */
    static World plainWorld(int nodes) {
        return World.of(Topology.complete(nodes))
                .taking(new Latency.Fixed(Duration.ofMillis(1)))
                .watchedBy(new Detector.None())
                .wanting(Workload.once(List.of()));
    }

    static NodeId n(int number) {
        return new NodeId(number);
    }

    /** Each asks once, at the start, and stays inside for a millisecond. */
    static Workload once(int... nodes) {
        return Workload.once(IntStream.of(nodes).mapToObj(NodeId::new).toList()).holding(Duration.ofMillis(1));
    }

    static Workload.Call call(int node, long micros) {
        return new Workload.Call(n(node), Duration.ofNanos(micros * 1_000));
    }

    static Fault.Planned at(long micros, Fault fault) {
        return new Fault.Planned(Duration.ofNanos(micros * 1_000), fault);
    }

    <T extends TraceLine> List<T> all(Class<T> kind) {
        return lines.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** What happened to this node, one line a step: {@code 1000 hears a from n1}. */
    List<String> story(int node) {
        return all(TraceLine.Acted.class).stream()
                .filter(line -> line.node().equals(n(node)))
                .map(line -> line.at() + " " + words(line))
                .toList();
    }

    /** The same without the times. */
    List<String> plot(int node) {
        return story(node).stream()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
    }

    private static String words(TraceLine.Acted line) {
        return switch (line) {
            case TraceLine.Started started -> "starts " + started.how();
            case TraceLine.Stepped stepped ->
                switch (stepped.event()) {
                    case Event.Received<?>(var from, var message)
                    when message instanceof Puppet.Note(var text) -> "hears " + text + " from " + from;
                    case Event.Received<?>(var from, var message) -> "hears " + message + " from " + from;
                    case Event.Acquire<?>() -> "acquires";
                    case Event.Release<?>() -> "releases";
                    case Event.Campaign<?>() -> "campaigns";
                    case Event.Elapsed<?>(var alarm) -> "rings " + alarm;
                    case Event.Rolled<?>(var outcome) -> "rolls " + outcome;
                    case Event.Suspect<?>(var peer) -> "suspects " + peer;
                    case Event.Restore<?>(var peer) -> "trusts " + peer;
                };
        };
    }

    /** What was seen from outside. */
    List<Happening> seen() {
        return all(TraceLine.Seen.class).stream().map(TraceLine.Seen::happening).toList();
    }

    /** When something of this kind was seen. */
    List<Long> times(Class<? extends Happening> kind) {
        return all(TraceLine.Seen.class).stream()
                .filter(line -> kind.isInstance(line.happening()))
                .map(TraceLine.Seen::at)
                .toList();
    }

    /** What became of messages that did not arrive as usual. */
    List<TraceLine.Fate> fates() {
        return all(TraceLine.Fared.class).stream().map(TraceLine.Fared::fate).toList();
    }

    static World struck(World world, Fault.Planned... faults) {
        return world.struckBy(
                Stream.concat(world.faults().stream(), Arrays.stream(faults)).toList());
    }
}
