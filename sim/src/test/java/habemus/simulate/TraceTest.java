package habemus.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.RandomWorlds;
import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.protocol.Durable;
import habemus.protocol.Envelope;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.PeriodicMessage;
import habemus.protocol.Protocol;
import habemus.protocol.Step;
import habemus.world.FaultKind;
import habemus.world.InFlightMessage;
import habemus.world.ObservableEvent;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.TraceEvent.Fate;
import habemus.world.Verdict;
import habemus.world.Workload.Chatter;
import habemus.world.World;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A trace contains all events of a run, for every algorithm and with all fault kinds. */
@Tag("slow")
class TraceTest {

    static final List<Algorithm> ALL = Catalogue.ALL.stream()
            .filter(algorithm -> !algorithm.name().equals("relay")) // 61 nodes, and the same messages as the others
            .toList();
    private static final Set<FaultKind> ALL_FAULTS = EnumSet.allOf(FaultKind.class);
    private static final int SEEDS = 40;

    /** If nodes forward messages, the number of duplicates grows without bound. */
    private static final RunLimits LIMITS = SwarmFaults.limits().withMaxSteps(5_000);

    private static final Map<String, List<RecordedSimulation>> RUNS = new HashMap<>(); // with all fault kinds

    private interface Check {
        void check(RecordedSimulation run);
    }

    private static void overAllSeeds(Algorithm algorithm, Check check) {
        RUNS.computeIfAbsent(algorithm.name(), name -> runs(algorithm, ALL_FAULTS))
                .forEach(check::check);
    }

    private static List<RecordedSimulation> runs(Algorithm algorithm, Set<FaultKind> allowed) {
        return LongStream.range(0, SEEDS)
                .mapToObj(seed -> run(algorithm, world(algorithm, allowed, seed), seed))
                .toList();
    }

    private static RecordedSimulation run(Algorithm algorithm, World world, long seed) {
        return RecordedSimulation.of(algorithm.create(AlgorithmParameters.of(world)), world, seed, LIMITS);
    }

    private static World world(Algorithm algorithm, Set<FaultKind> allowed, long seed) {
        boolean ring = algorithm.shape() == Topology.Shape.RING;
        int nodes = algorithm.nodeCount(AlgorithmParameters.defaults()).orElse(4);
        var faultless = World.of(ring ? Topology.ring(5) : Topology.complete(nodes));
        var workload = faultless
                .workload()
                .withEntries(5)
                .withThinkTime(Duration.ofMillis(500))
                .withChatter(Chatter.values()[(int) seed % 3]);
        var possible = RandomWorlds.possibleFaults(algorithm);
        possible.retainAll(allowed);
        return SwarmFaults.inject(faultless.withWorkload(workload), possible, seed);
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void time_never_goes_back(Algorithm algorithm) {
        overAllSeeds(
                algorithm,
                run -> assertThat(run.events().stream().map(TraceEvent::at)).isSorted());
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void every_message_has_a_unique_number_and_is_sent_before_its_outcome(Algorithm algorithm) {
        overAllSeeds(algorithm, run -> {
            var known = new HashMap<Long, InFlightMessage>();
            for (TraceEvent event : run.events()) {
                switch (event) {
                    case TraceEvent.NodeStep nodeStep -> {
                        assertReceived(known, nodeStep);
                        nodeStep.sent()
                                .forEach(message -> assertThat(known.put(message.number(), message))
                                        .isNull());
                    }
                    case TraceEvent.AppMessageSent appMessageSent ->
                        assertThat(known.put(appMessageSent.message().number(), appMessageSent.message()))
                                .isNull();
                    case TraceEvent.AppMessageReceived(var at, var message) ->
                        assertThat(known.get(message.number())).isEqualTo(message);
                    case TraceEvent.MessageOutcome(var at, var message, var fate) ->
                        assertThat(known.get(message.number())).isEqualTo(message);
                    default -> {}
                }
            }
        });
    }

    private static void assertReceived(Map<Long, InFlightMessage> known, TraceEvent.NodeStep nodeStep) {
        assertThat(nodeStep.sent()).allMatch(message -> message.from().equals(nodeStep.node()));
        if (nodeStep instanceof TraceEvent.Step step) {
            switch (step.event()) {
                case Event.Received<?>(var from, var content)
                when !from.equals(step.node()) -> assertReceived(known, step, from, content);
                case Event.Forward<?>(var from, var content) -> assertReceived(known, step, from, content);
                default -> assertThat(step.messageNumber()).isZero();
            }
        }
    }

    private static void assertReceived(
            Map<Long, InFlightMessage> known, TraceEvent.Step step, NodeId from, Object content) {
        assertThat(known.get(step.messageNumber()))
                .isEqualTo(new InFlightMessage(step.messageNumber(), from, step.node(), content));
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void the_trace_contains_all_counted_messages(Algorithm algorithm) {
        overAllSeeds(algorithm, run -> {
            var contents = run.all(TraceEvent.NodeStep.class).stream()
                    .flatMap(event -> event.sent().stream())
                    .map(message -> Envelope.unwrap(message.message()))
                    .toList();
            var byType = contents.stream()
                    .filter(content -> !(content instanceof PeriodicMessage))
                    .collect(Collectors.groupingBy(
                            content -> content.getClass().getSimpleName(), TreeMap::new, Collectors.counting()));
            long counted = byType.values().stream().mapToLong(Long::longValue).sum();
            assertThat(run.result().heartbeats()).isEqualTo(contents.size() - counted);
            assertThat(run.result().messagesByType()).isEqualTo(byType);
            assertThat(run.result().messages()).isEqualTo(counted);
        });
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void the_trace_contains_all_counted_steps_entries_and_announcements(Algorithm algorithm) {
        overAllSeeds(algorithm, run -> {
            var result = run.result();
            assertThat(run.all(TraceEvent.NodeStep.class)).hasSize((int) result.steps());
            assertThat(run.times(ObservableEvent.Entered.class)).hasSize((int) result.entries());
            assertThat(result.grants().stream().map(RunResult.GrantRecord::micros))
                    .isEqualTo(run.times(ObservableEvent.Entered.class));
            assertThat(run.times(ObservableEvent.LeaderAnnounced.class)).hasSize((int) result.elections());
            assertThat(result.announcements().stream().map(RunResult.LeaderAnnouncement::micros))
                    .isEqualTo(run.times(ObservableEvent.LeaderAnnounced.class));
        });
    }

    /** Without pauses: messages that are held for a paused node have no outcome yet. */
    @ParameterizedTest
    @FieldSource("ALL")
    void the_trace_contains_the_outcome_of_every_message(Algorithm algorithm) {
        runs(algorithm, EnumSet.complementOf(EnumSet.of(FaultKind.PAUSE))).forEach(run -> {
            if (run.result().end() != RunResult.End.REST) {
                return; // some messages are still in flight
            }
            var arrivals = new TreeMap<Long, Integer>();
            run.all(TraceEvent.NodeStep.class).stream()
                    .flatMap(event -> event.sent().stream())
                    .forEach(message -> arrivals.put(message.number(), 1));
            run.all(TraceEvent.AppMessageSent.class)
                    .forEach(event -> arrivals.put(event.message().number(), 1));
            run.all(TraceEvent.MessageOutcome.class)
                    .forEach(event -> arrivals.merge(
                            event.message().number(), event.fate() == Fate.DUPLICATED ? 1 : -1, Integer::sum));
            run.all(TraceEvent.AppMessageReceived.class)
                    .forEach(event -> arrivals.merge(event.message().number(), -1, Integer::sum));
            run.all(TraceEvent.Step.class).stream()
                    .filter(event -> event.messageNumber() > 0)
                    .forEach(event -> arrivals.merge(event.messageNumber(), -1, Integer::sum));
            assertThat(Set.copyOf(arrivals.values())).isIn(Set.of(), Set.of(0));
        });
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void a_fifo_link_delivers_messages_in_the_order_they_were_sent(Algorithm algorithm) {
        var inOrder = EnumSet.complementOf(EnumSet.of(FaultKind.REORDER, FaultKind.DUPLICATION));
        runs(algorithm, inOrder).forEach(run -> {
            var last = new HashMap<List<NodeId>, Long>();
            for (var event : run.all(TraceEvent.Step.class)) {
                if (event.messageNumber() > 0 && event.event() instanceof Event.Received<?>(var from, var content)) {
                    var before = last.put(List.of(from, event.node()), event.messageNumber());
                    assertThat(event.messageNumber()).isGreaterThan(before == null ? 0 : before);
                }
            }
        });
    }

    /** With fixed members: the neighbourhood at a start is that of the topology. */
    @ParameterizedTest
    @FieldSource("ALL")
    void replaying_the_steps_gives_the_same_states_and_effects(Algorithm algorithm) {
        var fixedMembers = EnumSet.complementOf(EnumSet.of(FaultKind.JOIN, FaultKind.LEAVE));
        var world = world(algorithm, fixedMembers, 0);
        runs(algorithm, fixedMembers)
                .forEach(run -> replay(run, algorithm.create(AlgorithmParameters.of(world)), world));
    }

    @SuppressWarnings("unchecked") // the states and events are of this protocol
    private static <S, M> void replay(RecordedSimulation run, Protocol<S, M> protocol, World world) {
        var states = new HashMap<NodeId, S>();
        for (var recorded : run.all(TraceEvent.NodeStep.class)) {
            var neighbourhood = world.topology().neighbourhood(recorded.node());
            var step = switch (recorded) {
                case TraceEvent.Started started
                when started.how() == TraceEvent.Start.WITH_MEMORY ->
                    restart((Durable<S, M, ?>) protocol, world, states, recorded.node());
                case TraceEvent.Started started -> protocol.start(neighbourhood);
                case TraceEvent.Step recordedStep ->
                    protocol.step(states.get(recorded.node()), (Event<M>) recordedStep.event());
            };
            assertThat(recorded.state()).isEqualTo(step.state());
            assertThat((Object) recorded.effects()).isEqualTo(step.effects());
            states.put(recorded.node(), step.state());
        }
    }

    private static <S, M, D> Step<S, M> restart(
            Durable<S, M, D> protocol, World world, Map<NodeId, S> states, NodeId node) {
        return protocol.restart(world.topology().neighbourhood(node), protocol.durableState(states.get(node)));
    }

    @Test
    void the_trace_contains_each_violation_once() {
        var violatedSomewhere = new HashSet<Property>();
        ALL.forEach(algorithm -> overAllSeeds(algorithm, run -> {
            var violated = new TreeSet<Property>();
            run.result().verdicts().forEach((property, verdict) -> {
                if (verdict == Verdict.VIOLATED && property.when() == Property.When.ALWAYS) {
                    violated.add(property);
                }
            });
            assertThat(run.all(TraceEvent.Violated.class).stream().map(TraceEvent.Violated::property))
                    .containsExactlyInAnyOrderElementsOf(violated);
            violatedSomewhere.addAll(violated);
        }));
        assertThat(violatedSomewhere).contains(Property.MUTUAL_EXCLUSION, Property.UNIQUENESS, Property.STABILITY);
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void tracing_does_not_change_the_run(Algorithm algorithm) {
        for (long seed = 0; seed < SEEDS; seed++) {
            var world = world(algorithm, ALL_FAULTS, seed);
            var protocol = algorithm.create(AlgorithmParameters.of(world));
            var untraced =
                    Simulation.of(protocol, world, seed).withLimits(LIMITS).run();
            assertThat(untraced)
                    .isEqualTo(
                            RecordedSimulation.of(protocol, world, seed, LIMITS).result());
        }
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void monitoring_does_not_change_the_run(Algorithm algorithm) {
        for (long seed = 0; seed < SEEDS; seed++) {
            var world = world(algorithm, ALL_FAULTS, seed);
            var simulation = Simulation.of(algorithm.create(AlgorithmParameters.of(world)), world, seed)
                    .withLimits(LIMITS);
            var monitored = simulation.run();
            var unmonitored = simulation.withoutMonitors().run();
            assertThat(unmonitored.verdicts()).isEmpty();
            assertThat(unmonitored)
                    .usingRecursiveComparison()
                    .ignoringFields("verdicts", "largestBypass")
                    .isEqualTo(monitored);
        }
    }

    @Test
    void the_trace_contains_a_step_that_is_a_bug() {
        var doubleGrant = ScriptedProtocol.mutex(
                (step, event) -> step.send(RecordedSimulation.n(2), ScriptedProtocol.message("before"))
                        .grant(1)
                        .grant(2));
        var run = RecordedSimulation.of(
                doubleGrant, RecordedSimulation.plainWorld(2).withWorkload(RecordedSimulation.once(1)));
        assertThat(run.result().end()).isEqualTo(RunResult.End.BUG);
        assertThat(run.steps(1)).endsWith("acquires");
        assertThat(run.times(ObservableEvent.Entered.class))
                .hasSize((int) run.result().entries());
        assertThat(run.all(TraceEvent.NodeStep.class).stream().flatMap(event -> event.sent().stream()))
                .hasSize((int) run.result().messages());
    }
}
