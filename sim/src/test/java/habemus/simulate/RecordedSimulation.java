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

/** A simulated run with its trace, and helpers for assertions. Times are microseconds. */
record RecordedSimulation(RunResult result, List<TraceEvent> events) {

    static RecordedSimulation of(Protocol<?, ?> protocol, World world) {
        return of(protocol, world, 1);
    }

    static RecordedSimulation of(Protocol<?, ?> protocol, World world, long seed) {
        return of(protocol, world, seed, RunLimits.AMPLE);
    }

    static RecordedSimulation of(Protocol<?, ?> protocol, World world, long seed, RunLimits limits) {
        var events = new ArrayList<TraceEvent>();
        var result = Simulation.of(protocol, world, seed)
                .withLimits(limits)
                .withTrace(events::add)
                .run();
        return new RecordedSimulation(result, List.copyOf(events));
    }

    /** A complete graph with a latency of one millisecond, without requests and without a detector. */
    static World plainWorld(int nodes) {
        return World.of(Topology.complete(nodes))
                .withLatency(new LatencyModel.Fixed(Duration.ofMillis(1)))
                .withDetector(new DetectorModel.None())
                .withWorkload(Workload.once(List.of()));
    }

    static NodeId n(int number) {
        return new NodeId(number);
    }

    /** Each node makes one request at the start and holds the lock for a millisecond. */
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

    /** The steps of a node with their times: {@code 1000 receives a from n1}. */
    List<String> timedSteps(int node) {
        return all(TraceEvent.NodeStep.class).stream()
                .filter(step -> step.node().equals(n(node)))
                .map(step -> step.at() + " " + describe(step))
                .toList();
    }

    /** The steps of a node without their times. */
    List<String> steps(int node) {
        return timedSteps(node).stream()
                .map(step -> step.substring(step.indexOf(' ') + 1))
                .toList();
    }

    private static String describe(TraceEvent.NodeStep nodeStep) {
        return switch (nodeStep) {
            case TraceEvent.Started started -> "starts " + started.how();
            case TraceEvent.Step step ->
                switch (step.event()) {
                    case Event.Received<?>(var from, var message)
                    when message instanceof ScriptedProtocol.Message(var text) -> "receives " + text + " from " + from;
                    case Event.Received<?>(var from, var message) -> "receives " + message + " from " + from;
                    case Event.Acquire<?>() -> "acquires";
                    case Event.Release<?>() -> "releases";
                    case Event.Campaign<?>() -> "campaigns";
                    case Event.Timeout<?>(var timer) -> "timeout " + timer;
                    case Event.Drawn<?>(var outcome) -> "draws " + outcome;
                    case Event.Suspect<?>(var peer) -> "suspects " + peer;
                    case Event.Restore<?>(var peer) -> "restores " + peer;
                    case Event.Call<?>(var call) -> "calls " + call;
                    case Event.Synced<?>(var last) -> "synced up to " + last;
                    case Event.Joined<?>(var peer, var view) -> "learns that " + peer + " has joined";
                    case Event.Left<?>(var peer, var view) -> "learns that " + peer + " has left";
                    case Event.Leave<?>() -> "leaves";
                    case Event.Forward<?>(var from, var message) -> "forwards " + message + " from " + from;
                };
        };
    }

    /** The observable events. */
    List<ObservableEvent> observed() {
        return all(TraceEvent.Observed.class).stream()
                .map(TraceEvent.Observed::event)
                .toList();
    }

    /** The times of the observable events of this type. */
    List<Long> times(Class<? extends ObservableEvent> kind) {
        return all(TraceEvent.Observed.class).stream()
                .filter(observed -> kind.isInstance(observed.event()))
                .map(TraceEvent.Observed::at)
                .toList();
    }

    /** The fates of dropped and duplicated messages. */
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
