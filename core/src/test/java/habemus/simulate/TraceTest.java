package habemus.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.Setting;
import habemus.protocol.Durable;
import habemus.protocol.Envelope;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.protocol.Step;
import habemus.world.Happening;
import habemus.world.Hazard;
import habemus.world.Mail;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceLine;
import habemus.world.TraceLine.Fate;
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
    private static final Set<Hazard> ANY = EnumSet.allOf(Hazard.class);
    private static final int SEEDS = 40;

    /** Where nodes pass on what they get, every message that arrives twice makes more that do. */
    private static final Limits LIMITS = Swarm.limits().steps(5_000);

    private static final Map<String, List<Film>> FILMS = new HashMap<>(); // with any hazard

    private interface Check {
        void check(Film film);
    }

    private static void overAllSeeds(Algorithm algorithm, Check check) {
        FILMS.computeIfAbsent(algorithm.name(), name -> films(algorithm, ANY)).forEach(check::check);
    }

    private static List<Film> films(Algorithm algorithm, Set<Hazard> allowed) {
        return LongStream.range(0, SEEDS)
                .mapToObj(seed -> film(algorithm, world(algorithm, allowed, seed), seed))
                .toList();
    }

    private static Film film(Algorithm algorithm, World world, long seed) {
        return Film.of(algorithm.make(Setting.of(world)), world, seed, LIMITS);
    }

    private static World world(Algorithm algorithm, Set<Hazard> allowed, long seed) {
        boolean ring = algorithm.shape() == Topology.Shape.RING;
        var kind = World.of(ring ? Topology.ring(5) : Topology.complete(4));
        var workload =
                kind.workload().entering(5).thinking(Duration.ofMillis(500)).chatting(Chatter.values()[(int) seed % 3]);
        return Swarm.strike(kind.wanting(workload), allowed, seed);
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void time_never_goes_back(Algorithm algorithm) {
        overAllSeeds(
                algorithm,
                film -> assertThat(film.lines().stream().map(TraceLine::at)).isSorted());
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void every_message_has_a_number_of_its_own_and_is_sent_before_anything_else_becomes_of_it(Algorithm algorithm) {
        overAllSeeds(algorithm, film -> {
            var known = new HashMap<Long, Mail>();
            for (TraceLine line : film.lines()) {
                switch (line) {
                    case TraceLine.Acted acted -> {
                        assertReceived(known, acted);
                        acted.sent()
                                .forEach(mail -> assertThat(known.put(mail.number(), mail))
                                        .isNull());
                    }
                    case TraceLine.Told told ->
                        assertThat(known.put(told.mail().number(), told.mail())).isNull();
                    case TraceLine.Heard(var at, var mail) ->
                        assertThat(known.get(mail.number())).isEqualTo(mail);
                    case TraceLine.Fared(var at, var mail, var fate) ->
                        assertThat(known.get(mail.number())).isEqualTo(mail);
                    default -> {}
                }
            }
        });
    }

    private static void assertReceived(Map<Long, Mail> known, TraceLine.Acted acted) {
        assertThat(acted.sent()).allMatch(mail -> mail.from().equals(acted.node()));
        if (acted instanceof TraceLine.Stepped stepped
                && stepped.event() instanceof Event.Received<?>(var from, var message)
                && !from.equals(stepped.node())) {
            assertThat(known.get(stepped.mail())).isEqualTo(new Mail(stepped.mail(), from, stepped.node(), message));
        } else if (acted instanceof TraceLine.Stepped stepped) {
            assertThat(stepped.mail()).isZero();
        }
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void all_messages_are_in_it_and_counted(Algorithm algorithm) {
        overAllSeeds(algorithm, film -> {
            var byType = new TreeMap<String, Long>();
            film.all(TraceLine.Acted.class).stream()
                    .flatMap(line -> line.sent().stream())
                    .map(mail -> Envelope.open(mail.message()))
                    .forEach(message -> byType.merge(message.getClass().getSimpleName(), 1L, Long::sum));
            var heartbeats = byType.remove("Heartbeat");
            assertThat(film.outcome().heartbeats()).isEqualTo(heartbeats == null ? 0 : heartbeats);
            assertThat(film.outcome().messagesByType()).isEqualTo(byType);
            assertThat(film.outcome().messages())
                    .isEqualTo(
                            byType.values().stream().mapToLong(Long::longValue).sum());
        });
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void all_steps_entries_and_elections_are_in_it_and_counted(Algorithm algorithm) {
        overAllSeeds(algorithm, film -> {
            var outcome = film.outcome();
            assertThat(film.all(TraceLine.Acted.class)).hasSize((int) outcome.steps());
            assertThat(film.times(Happening.Entered.class)).hasSize((int) outcome.entries());
            assertThat(outcome.grants().stream().map(Outcome.Granted::micros))
                    .isEqualTo(film.times(Happening.Entered.class));
            assertThat(film.times(Happening.Named.class)).hasSize((int) outcome.elections());
            assertThat(outcome.elected().stream().map(Outcome.Elected::micros))
                    .isEqualTo(film.times(Happening.Named.class));
        });
    }

    /** Messages that a paused node missed are lost without a word if it crashes: see {@link PauseTest}. */
    @ParameterizedTest
    @FieldSource("ALL")
    void of_every_message_it_tells_what_became_of_it(Algorithm algorithm) {
        films(algorithm, EnumSet.complementOf(EnumSet.of(Hazard.PAUSE))).forEach(film -> {
            if (film.outcome().end() != Outcome.End.REST) {
                return; // some are still under way
            }
            var arrivals = new TreeMap<Long, Integer>();
            film.all(TraceLine.Acted.class).stream()
                    .flatMap(line -> line.sent().stream())
                    .forEach(mail -> arrivals.put(mail.number(), 1));
            film.all(TraceLine.Told.class)
                    .forEach(line -> arrivals.put(line.mail().number(), 1));
            film.all(TraceLine.Fared.class)
                    .forEach(line -> arrivals.merge(
                            line.mail().number(), line.fate() == Fate.DUPLICATED ? 1 : -1, Integer::sum));
            film.all(TraceLine.Heard.class)
                    .forEach(line -> arrivals.merge(line.mail().number(), -1, Integer::sum));
            film.all(TraceLine.Stepped.class).stream()
                    .filter(line -> line.mail() > 0)
                    .forEach(line -> arrivals.merge(line.mail(), -1, Integer::sum));
            assertThat(Set.copyOf(arrivals.values())).isIn(Set.of(), Set.of(0));
        });
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void in_order_every_link_delivers_what_was_sent_in_the_order_it_was_sent(Algorithm algorithm) {
        var inOrder = EnumSet.complementOf(EnumSet.of(Hazard.REORDER, Hazard.DUPLICATION));
        films(algorithm, inOrder).forEach(film -> {
            var last = new HashMap<List<NodeId>, Long>();
            for (var line : film.all(TraceLine.Stepped.class)) {
                if (line.mail() > 0 && line.event() instanceof Event.Received<?>(var from, var message)) {
                    var before = last.put(List.of(from, line.node()), line.mail());
                    assertThat(line.mail()).isGreaterThan(before == null ? 0 : before);
                }
            }
        });
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void the_steps_can_be_taken_again_with_the_same_states_and_effects(Algorithm algorithm) {
        var world = world(algorithm, ANY, 0);
        overAllSeeds(algorithm, film -> retrace(film, algorithm.make(Setting.of(world)), world));
    }

    @SuppressWarnings("unchecked") // the states and events are of this protocol
    private static <S, M> void retrace(Film film, Protocol<S, M> protocol, World world) {
        var states = new HashMap<NodeId, S>();
        for (var line : film.all(TraceLine.Acted.class)) {
            var place = world.topology().place(line.node());
            var step = switch (line) {
                case TraceLine.Started started
                when started.how() == TraceLine.Start.WITH_MEMORY ->
                    remember((Durable<S, M, ?>) protocol, world, states, line.node());
                case TraceLine.Started started -> protocol.start(place);
                case TraceLine.Stepped stepped -> protocol.step(states.get(line.node()), (Event<M>) stepped.event());
            };
            assertThat(line.state()).isEqualTo(step.state());
            assertThat((Object) line.effects()).isEqualTo(step.effects());
            states.put(line.node(), step.state());
        }
    }

    private static <S, M, D> Step<S, M> remember(
            Durable<S, M, D> protocol, World world, Map<NodeId, S> states, NodeId node) {
        return protocol.restart(world.topology().place(node), protocol.memory(states.get(node)));
    }

    @Test
    void what_was_violated_is_in_it_once() {
        var seen = new HashSet<Property>();
        ALL.forEach(algorithm -> overAllSeeds(algorithm, film -> {
            var violated = new TreeSet<Property>();
            film.outcome().verdicts().forEach((property, verdict) -> {
                if (verdict == Verdict.VIOLATED && property.when() == Property.When.ALWAYS) {
                    violated.add(property);
                }
            });
            assertThat(film.all(TraceLine.Violated.class).stream().map(TraceLine.Violated::property))
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
            var protocol = algorithm.make(Setting.of(world));
            var silent = Simulation.of(protocol, world, seed).within(LIMITS).run();
            assertThat(silent).isEqualTo(Film.of(protocol, world, seed, LIMITS).outcome());
        }
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void being_judged_changes_nothing(Algorithm algorithm) {
        for (long seed = 0; seed < SEEDS; seed++) {
            var world = world(algorithm, ANY, seed);
            var simulation = Simulation.of(algorithm.make(Setting.of(world)), world, seed)
                    .within(LIMITS);
            var judged = simulation.run();
            var unjudged = simulation.unjudged().run();
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
        var eager = Puppet.locking((step, event) ->
                step.send(Film.n(2), Puppet.note("before")).grant(1).grant(2));
        var film = Film.of(eager, Film.plainWorld(2).wanting(Film.once(1)));
        assertThat(film.outcome().end()).isEqualTo(Outcome.End.BUG);
        assertThat(film.plot(1)).endsWith("acquires");
        assertThat(film.times(Happening.Entered.class))
                .hasSize((int) film.outcome().entries());
        assertThat(film.all(TraceLine.Acted.class).stream().flatMap(line -> line.sent().stream()))
                .hasSize((int) film.outcome().messages());
    }
}
