package habemus.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.protocol.Durable;
import habemus.protocol.Envelope;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
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
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What a trace tells is what happened, all of it; over every algorithm, with everything that can go wrong. */
class TraceTest {

    static final List<Algorithm> ALL = Catalogue.ALL;
    private static final Set<FaultKind> ANY = EnumSet.allOf(FaultKind.class);
    private static final int SEEDS = 40;

    /** Where nodes pass on what they get, every message that arrives twice makes more that do. */
    private static final RunLimits LIMITS = SwarmFaults.limits().withMaxSteps(5_000);

    private static final Map<String, List<RecordedSimulation>> FILMS = new HashMap<>(); // with any hazard

    private interface Check {
        void check(RecordedSimulation recordedSimulation);
    }

    private static void overAllSeeds(Algorithm algorithm, Check check) {
        FILMS.computeIfAbsent(algorithm.name(), name -> films(algorithm, ANY)).forEach(check::check);
    }

    private static List<RecordedSimulation> films(Algorithm algorithm, Set<FaultKind> allowed) {
        return LongStream.range(0, SEEDS)
                .mapToObj(seed -> film(algorithm, world(algorithm, allowed, seed), seed))
                .toList();
    }

    private static RecordedSimulation film(Algorithm algorithm, World world, long seed) {
        return RecordedSimulation.of(algorithm.create(AlgorithmParameters.of(world)), world, seed, LIMITS);
    }

    private static World world(Algorithm algorithm, Set<FaultKind> allowed, long seed) {
        boolean ring = algorithm.shape() == Topology.Shape.RING;
        var kind = World.of(ring ? Topology.ring(5) : Topology.complete(4));
        var workload = kind.workload()
                .withEntries(5)
                .withThinkTime(Duration.ofMillis(500))
                .withChatter(Chatter.values()[(int) seed % 3]);
        return SwarmFaults.inject(kind.withWorkload(workload), allowed, seed);
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void time_never_goes_back(Algorithm algorithm) {
        overAllSeeds(
                algorithm,
                recordedSimulation -> assertThat(
                                recordedSimulation.events().stream().map(TraceEvent::at))
                        .isSorted());
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void every_message_has_a_number_of_its_own_and_is_sent_before_anything_else_becomes_of_it(Algorithm algorithm) {
        overAllSeeds(algorithm, recordedSimulation -> {
            var known = new HashMap<Long, InFlightMessage>();
            for (TraceEvent line : recordedSimulation.events()) {
                switch (line) {
                    case TraceEvent.NodeStep nodeStep -> {
                        assertReceived(known, nodeStep);
                        nodeStep.sent()
                                .forEach(inFlightMessage -> assertThat(
                                                known.put(inFlightMessage.number(), inFlightMessage))
                                        .isNull());
                    }
                    case TraceEvent.AppMessageSent appMessageSent ->
                        assertThat(known.put(appMessageSent.message().number(), appMessageSent.message()))
                                .isNull();
                    case TraceEvent.AppMessageReceived(var at, var inFlightMessage) ->
                        assertThat(known.get(inFlightMessage.number())).isEqualTo(inFlightMessage);
                    case TraceEvent.MessageOutcome(var at, var inFlightMessage, var fate) ->
                        assertThat(known.get(inFlightMessage.number())).isEqualTo(inFlightMessage);
                    default -> {}
                }
            }
        });
    }

    private static void assertReceived(Map<Long, InFlightMessage> known, TraceEvent.NodeStep nodeStep) {
        assertThat(nodeStep.sent())
                .allMatch(inFlightMessage -> inFlightMessage.from().equals(nodeStep.node()));
        if (nodeStep instanceof TraceEvent.Step step
                && step.event() instanceof Event.Received<?>(var from, var message)
                && !from.equals(step.node())) {
            assertThat(known.get(step.messageNumber()))
                    .isEqualTo(new InFlightMessage(step.messageNumber(), from, step.node(), message));
        } else if (nodeStep instanceof TraceEvent.Step step) {
            assertThat(step.messageNumber()).isZero();
        }
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void all_messages_are_in_it_and_counted(Algorithm algorithm) {
        overAllSeeds(algorithm, recordedSimulation -> {
            var byType = new TreeMap<String, Long>();
            recordedSimulation.all(TraceEvent.NodeStep.class).stream()
                    .flatMap(line -> line.sent().stream())
                    .map(inFlightMessage -> Envelope.unwrap(inFlightMessage.message()))
                    .forEach(message -> byType.merge(message.getClass().getSimpleName(), 1L, Long::sum));
            var heartbeats = byType.remove("Heartbeat");
            assertThat(recordedSimulation.runResult().heartbeats()).isEqualTo(heartbeats == null ? 0 : heartbeats);
            assertThat(recordedSimulation.runResult().messagesByType()).isEqualTo(byType);
            assertThat(recordedSimulation.runResult().messages())
                    .isEqualTo(
                            byType.values().stream().mapToLong(Long::longValue).sum());
        });
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void all_steps_entries_and_elections_are_in_it_and_counted(Algorithm algorithm) {
        overAllSeeds(algorithm, recordedSimulation -> {
            var runResult = recordedSimulation.runResult();
            assertThat(recordedSimulation.all(TraceEvent.NodeStep.class)).hasSize((int) runResult.steps());
            assertThat(recordedSimulation.times(ObservableEvent.Entered.class)).hasSize((int) runResult.entries());
            assertThat(runResult.grants().stream().map(RunResult.GrantRecord::micros))
                    .isEqualTo(recordedSimulation.times(ObservableEvent.Entered.class));
            assertThat(recordedSimulation.times(ObservableEvent.LeaderAnnounced.class))
                    .hasSize((int) runResult.elections());
            assertThat(runResult.announcements().stream().map(RunResult.LeaderAnnouncement::micros))
                    .isEqualTo(recordedSimulation.times(ObservableEvent.LeaderAnnounced.class));
        });
    }

    /** Messages that a paused node missed are lost without a word if it crashes: see {@link PauseTest}. */
    @ParameterizedTest
    @FieldSource("ALL")
    void of_every_message_it_tells_what_became_of_it(Algorithm algorithm) {
        films(algorithm, EnumSet.complementOf(EnumSet.of(FaultKind.PAUSE))).forEach(recordedSimulation -> {
            if (recordedSimulation.runResult().end() != RunResult.End.REST) {
                return; // some are still under way
            }
            var arrivals = new TreeMap<Long, Integer>();
            recordedSimulation.all(TraceEvent.NodeStep.class).stream()
                    .flatMap(line -> line.sent().stream())
                    .forEach(inFlightMessage -> arrivals.put(inFlightMessage.number(), 1));
            recordedSimulation
                    .all(TraceEvent.AppMessageSent.class)
                    .forEach(line -> arrivals.put(line.message().number(), 1));
            recordedSimulation
                    .all(TraceEvent.MessageOutcome.class)
                    .forEach(line -> arrivals.merge(
                            line.message().number(), line.fate() == Fate.DUPLICATED ? 1 : -1, Integer::sum));
            recordedSimulation
                    .all(TraceEvent.AppMessageReceived.class)
                    .forEach(line -> arrivals.merge(line.message().number(), -1, Integer::sum));
            recordedSimulation.all(TraceEvent.Step.class).stream()
                    .filter(line -> line.messageNumber() > 0)
                    .forEach(line -> arrivals.merge(line.messageNumber(), -1, Integer::sum));
            assertThat(Set.copyOf(arrivals.values())).isIn(Set.of(), Set.of(0));
        });
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void in_order_every_link_delivers_what_was_sent_in_the_order_it_was_sent(Algorithm algorithm) {
        var inOrder = EnumSet.complementOf(EnumSet.of(FaultKind.REORDER, FaultKind.DUPLICATION));
        films(algorithm, inOrder).forEach(recordedSimulation -> {
            var last = new HashMap<List<NodeId>, Long>();
            for (var line : recordedSimulation.all(TraceEvent.Step.class)) {
                if (line.messageNumber() > 0 && line.event() instanceof Event.Received<?>(var from, var message)) {
                    var before = last.put(List.of(from, line.node()), line.messageNumber());
                    assertThat(line.messageNumber()).isGreaterThan(before == null ? 0 : before);
                }
            }
        });
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void the_steps_can_be_taken_again_with_the_same_states_and_effects(Algorithm algorithm) {
        var world = world(algorithm, ANY, 0);
        overAllSeeds(
                algorithm,
                recordedSimulation ->
                        retrace(recordedSimulation, algorithm.create(AlgorithmParameters.of(world)), world));
    }

    @SuppressWarnings("unchecked") // the states and events are of this protocol
    private static <S, M> void retrace(RecordedSimulation recordedSimulation, Protocol<S, M> protocol, World world) {
        var states = new HashMap<NodeId, S>();
        for (var line : recordedSimulation.all(TraceEvent.NodeStep.class)) {
            var neighbourhood = world.topology().neighbourhood(line.node());
            var step = switch (line) {
                case TraceEvent.Started started
                when started.how() == TraceEvent.Start.WITH_MEMORY ->
                    remember((Durable<S, M, ?>) protocol, world, states, line.node());
                case TraceEvent.Started started -> protocol.start(neighbourhood);
                case TraceEvent.Step stepped -> protocol.step(states.get(line.node()), (Event<M>) stepped.event());
            };
            assertThat(line.state()).isEqualTo(step.state());
            assertThat((Object) line.effects()).isEqualTo(step.effects());
            states.put(line.node(), step.state());
        }
    }

    private static <S, M, D> Step<S, M> remember(
            Durable<S, M, D> protocol, World world, Map<NodeId, S> states, NodeId node) {
        return protocol.restart(world.topology().neighbourhood(node), protocol.durableState(states.get(node)));
    }

    @Test
    void what_was_violated_is_in_it_once() {
        var seen = new HashSet<Property>();
        ALL.forEach(algorithm -> overAllSeeds(algorithm, recordedSimulation -> {
            var violated = new TreeSet<Property>();
            recordedSimulation.runResult().verdicts().forEach((property, verdict) -> {
                if (verdict == Verdict.VIOLATED && property.when() == Property.When.ALWAYS) {
                    violated.add(property);
                }
            });
            assertThat(recordedSimulation.all(TraceEvent.Violated.class).stream()
                            .map(TraceEvent.Violated::property))
                    .containsExactlyInAnyOrderElementsOf(violated);
            seen.addAll(violated);
        }));
        assertThat(seen).contains(Property.MUTUAL_EXCLUSION, Property.UNIQUENESS, Property.STABILITY);
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void writing_it_down_changes_nothing(Algorithm algorithm) {
        for (long seed = 0; seed < SEEDS; seed++) {
            var world = world(algorithm, ANY, seed);
            var protocol = algorithm.create(AlgorithmParameters.of(world));
            var silent = Simulation.of(protocol, world, seed).withLimits(LIMITS).run();
            assertThat(silent)
                    .isEqualTo(
                            RecordedSimulation.of(protocol, world, seed, LIMITS).runResult());
        }
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void being_judged_changes_nothing(Algorithm algorithm) {
        for (long seed = 0; seed < SEEDS; seed++) {
            var world = world(algorithm, ANY, seed);
            var simulation = Simulation.of(algorithm.create(AlgorithmParameters.of(world)), world, seed)
                    .withLimits(LIMITS);
            var judged = simulation.run();
            var unjudged = simulation.withoutMonitors().run();
            assertThat(unjudged.verdicts()).isEmpty();
            assertThat(unjudged)
                    .usingRecursiveComparison()
                    .ignoringFields("verdicts", "largestBypass")
                    .isEqualTo(judged);
        }
    }

    /** The last step is the one that a reader wants to see. */
    @Test
    void a_step_that_was_a_bug_is_in_it_too() {
        var eager = ScriptedProtocol.mutex(
                (step, event) -> step.send(RecordedSimulation.n(2), ScriptedProtocol.message("before"))
                        .grant(1)
                        .grant(2));
        var recordedSimulation =
                RecordedSimulation.of(eager, RecordedSimulation.plainWorld(2).withWorkload(RecordedSimulation.once(1)));
        assertThat(recordedSimulation.runResult().end()).isEqualTo(RunResult.End.BUG);
        assertThat(recordedSimulation.steps(1)).endsWith("acquires");
        assertThat(recordedSimulation.times(ObservableEvent.Entered.class))
                .hasSize((int) recordedSimulation.runResult().entries());
        assertThat(recordedSimulation.all(TraceEvent.NodeStep.class).stream().flatMap(line -> line.sent().stream()))
                .hasSize((int) recordedSimulation.runResult().messages());
    }
}
