package habemus.simulate;

import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.LatencyModel;
import habemus.world.ObservableEvent;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A run with all that it wrote down, and short words for what tests ask about it. Times are microseconds. */
record RecordedSimulation(RunResult runResult, List<TraceEvent> events) {

    static RecordedSimulation of(Protocol<?, ?> protocol, World world) {
        return of(protocol, world, 1);
    }

    static RecordedSimulation of(Protocol<?, ?> protocol, World world, long seed) {
        return of(protocol, world, seed, RunLimits.AMPLE);
    }

    static RecordedSimulation of(Protocol<?, ?> protocol, World world, long seed, RunLimits runLimits) {
        var lines = new ArrayList<TraceEvent>();
        var runResult = Simulation.of(protocol, world, seed)
                .withLimits(runLimits)
                .withTrace(lines::add)
                .run();
        return new RecordedSimulation(runResult, List.copyOf(lines));
    }

    /** Everybody can talk to everybody, every message takes a millisecond, nobody wants anything or is suspected. */
    static World plainWorld(int nodes) {
        return World.of(Topology.complete(nodes))
                .withLatency(new LatencyModel.Fixed(Duration.ofMillis(1)))
                .withDetector(new DetectorModel.None())
                .withWorkload(Workload.once(List.of()));
    }

    static NodeId n(int number) {
        return new NodeId(number);
    }

    /** Each asks once, at the start, and stays inside for a millisecond. */
    static Workload once(int... nodes) {
        return Workload.once(IntStream.of(nodes).mapToObj(NodeId::new).toList()).withHoldTime(Duration.ofMillis(1));
    }

    static Workload.Request request(int node, long micros) {
        return new Workload.Request(n(node), Duration.ofNanos(micros * 1_000));
    }

    static Fault.PlannedFault at(long micros, Fault fault) {
        return new Fault.PlannedFault(Duration.ofNanos(micros * 1_000), fault);
    }

    <T extends TraceEvent> List<T> all(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** What happened to this node, one line a step: {@code 1000 hears a from n1}. */
    List<String> timedSteps(int node) {
        return all(TraceEvent.NodeStep.class).stream()
                .filter(line -> line.node().equals(n(node)))
                .map(line -> line.at() + " " + describe(line))
                .toList();
    }

    /** The same without the times. */
    List<String> steps(int node) {
        return timedSteps(node).stream()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
    }

    private static String describe(TraceEvent.NodeStep line) {
        return switch (line) {
            case TraceEvent.Started started -> "starts " + started.how();
            case TraceEvent.Step step ->
                switch (step.event()) {
                    case Event.Received<?>(var from, var message)
                    when message instanceof ScriptedProtocol.Message(var text) -> "hears " + text + " from " + from;
                    case Event.Received<?>(var from, var message) -> "hears " + message + " from " + from;
                    case Event.Acquire<?>() -> "acquires";
                    case Event.Release<?>() -> "releases";
                    case Event.Campaign<?>() -> "campaigns";
                    case Event.Timeout<?>(var alarm) -> "rings " + alarm;
                    case Event.Drawn<?>(var outcome) -> "rolls " + outcome;
                    case Event.Suspect<?>(var peer) -> "suspects " + peer;
                    case Event.Restore<?>(var peer) -> "trusts " + peer;
                };
        };
    }

    /** What was seen from outside. */
    List<ObservableEvent> observed() {
        return all(TraceEvent.Observed.class).stream()
                .map(TraceEvent.Observed::event)
                .toList();
    }

    /** When something of this kind was seen. */
    List<Long> times(Class<? extends ObservableEvent> kind) {
        return all(TraceEvent.Observed.class).stream()
                .filter(line -> kind.isInstance(line.event()))
                .map(TraceEvent.Observed::at)
                .toList();
    }

    /** What became of messages that did not arrive as usual. */
    List<TraceEvent.Fate> fates() {
        return all(TraceEvent.MessageOutcome.class).stream()
                .map(TraceEvent.MessageOutcome::fate)
                .toList();
    }

    static World withFaults(World world, Fault.PlannedFault... faults) {
        return world.withFaults(
                Stream.concat(world.faults().stream(), Arrays.stream(faults)).toList());
    }
}
