package habemus.simulate;

import static habemus.simulate.Film.call;
import static habemus.simulate.Film.n;
import static habemus.simulate.Film.once;
import static habemus.simulate.Film.plainWorld;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.mutex.RicartAgrawala;
import habemus.protocol.Event;
import habemus.simulate.Puppet.Bell;
import habemus.simulate.Puppet.Note;
import habemus.world.Happening;
import habemus.world.Latency;
import habemus.world.Topology;
import habemus.world.TraceLine;
import habemus.world.Workload;
import habemus.world.Workload.Chatter;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Applications ask, stay inside, leave and ask again, as the workload says. */
class WorkloadTest {

    /** Lets everybody in at once: with one caller that does no harm. */
    private static final Puppet OPEN = Puppet.locking((step, event) ->
            event instanceof Event.Acquire ? step.grant(step.state().steps()) : step);

    private static final Puppet CANDIDATE = Puppet.electing((step, event) -> step);

    private static Film locking(Workload workload) {
        return Film.of(OPEN, plainWorld(3).wanting(workload));
    }

    @Test
    void a_caller_asks_enters_stays_leaves_and_asks_again_as_often_as_it_wants() {
        assertThat(locking(once(1).entering(3).holding(ofMillis(5))).story(1))
                .containsExactly(
                        "0 starts FIRST",
                        "0 acquires",
                        "5000 releases",
                        "5000 acquires",
                        "10000 releases",
                        "10000 acquires",
                        "15000 releases");
    }

    @Test
    void what_is_seen_of_it_is_asked_entered_left() {
        var film = locking(once(2));
        assertThat(film.seen().stream().map(Happening::getClass).map(Class::getSimpleName))
                .containsExactly("Asked", "Entered", "Left");
        assertThat(film.outcome().entries()).isEqualTo(1);
        assertThat(film.outcome().grants()).containsExactly(new Outcome.Granted(n(2), 1, 0));
    }

    @Test
    void only_callers_ask_and_each_at_its_time() {
        var film = locking(once().calling(List.of(call(3, 200_000), call(2, 100))));
        assertThat(film.times(Happening.Asked.class)).containsExactly(100L, 200_000L);
        assertThat(film.story(3)).contains("200000 acquires");
        assertThat(film.plot(1)).containsExactly("starts FIRST");
    }

    @Test
    void a_caller_thinks_for_a_while_before_it_asks_again_but_never_longer_than_it_may() {
        var workload = once(1).entering(2).thinking(Duration.ofNanos(4_000));
        var asked = LongStream.range(0, 200)
                .mapToObj(seed -> Film.of(OPEN, plainWorld(1).wanting(workload), seed))
                .map(film -> film.times(Happening.Asked.class).get(1));
        assertThat(asked.distinct()).containsExactlyInAnyOrder(1_000L, 1_001L, 1_002L, 1_003L, 1_004L);
    }

    @Test
    void who_is_called_upon_while_it_waits_or_is_inside_asks_again_after_leaving() {
        var film = locking(once().calling(List.of(call(1, 0), call(1, 0), call(1, 500))));
        assertThat(film.times(Happening.Asked.class)).containsExactly(0L, 1_000L, 2_000L);
        assertThat(film.outcome().entries()).isEqualTo(3);
    }

    @Test
    void who_is_called_upon_while_it_thinks_asks_at_once_and_not_twice_for_that() {
        var workload =
                once().calling(List.of(call(1, 0), call(1, 1_500))).entering(2).thinking(Duration.ofHours(1));
        var film = locking(workload);
        assertThat(film.times(Happening.Asked.class).subList(0, 2)).containsExactly(0L, 1_500L);
        assertThat(film.outcome().entries()).isEqualTo(4);
    }

    @Test
    void nobody_asks_while_it_waits() {
        var closed = Puppet.locking((step, event) -> step);
        var film = Film.of(closed, plainWorld(1).wanting(once(1, 1).entering(3)));
        assertThat(film.plot(1)).containsExactly("starts FIRST", "acquires");
        assertThat(film.outcome().waiting()).extracting(Outcome.Waiting::node).containsExactly(n(1));
    }

    @Test
    void a_candidate_campaigns_as_often_as_it_wants_but_has_asked_once() {
        var film = Film.of(CANDIDATE, plainWorld(3).wanting(once(2).entering(3).thinking(ofMillis(1))));
        assertThat(film.plot(2)).containsExactly("starts FIRST", "campaigns", "campaigns", "campaigns");
        assertThat(film.seen()).hasSize(1);
        assertThat(film.plot(1)).containsExactly("starts FIRST");
    }

    @Test
    void a_candidate_that_is_called_upon_twice_campaigns_twice() {
        var film = Film.of(CANDIDATE, plainWorld(3).wanting(once().calling(List.of(call(2, 0), call(2, 700)))));
        assertThat(film.story(2)).containsExactly("0 starts FIRST", "0 campaigns", "700 campaigns");
    }

    @Test
    void who_loses_its_grant_is_out_and_asks_again_without_leaving() {
        var losing = Puppet.locking((step, event) -> switch (event) {
            case Event.Acquire<Note>() -> step.grant(step.state().steps()).wake(Bell.ONE, ofMillis(1));
            case Event.Elapsed<Note> elapsed -> step.lost();
            default -> step;
        });
        var film = Film.of(losing, plainWorld(1).wanting(once(1).entering(2).holding(ofMillis(9))));
        assertThat(film.story(1))
                .containsExactly("0 starts FIRST", "0 acquires", "1000 rings ONE", "1000 acquires", "2000 rings ONE");
        assertThat(film.times(Happening.Left.class)).containsExactly(1_000L, 2_000L);
    }

    @Test
    void who_loses_its_grant_does_not_ask_again_when_it_would_have_left() {
        var losing = Puppet.locking((step, event) -> event instanceof Event.Elapsed
                ? step.lost()
                : step.grant(step.state().steps()).wake(Bell.ONE, ofMillis(1)));
        var patient = once(1).entering(2).holding(ofMillis(9)).thinking(Duration.ofHours(1));
        var asked = Film.of(losing, plainWorld(1).wanting(patient)).times(Happening.Asked.class);
        assertThat(asked.getLast()).isGreaterThan(9_000);
    }

    @Test
    void who_names_another_leader_disowns_the_one_before() {
        var fickle = Puppet.electing((step, event) ->
                step.elected(n(step.state().steps()), step.state().steps()));
        var film = Film.of(fickle, plainWorld(3).wanting(once(1).entering(2)));
        assertThat(film.seen().subList(1, 4))
                .containsExactly(
                        new Happening.Named(n(1), n(1), 1),
                        new Happening.Disowned(n(1), n(1)),
                        new Happening.Named(n(1), n(2), 2));
        assertThat(film.outcome().elections()).isEqualTo(2);
        assertThat(film.outcome().elected())
                .containsExactly(new Outcome.Elected(n(1), n(1), 1, 0), new Outcome.Elected(n(1), n(2), 2, 0));
    }

    private static World chatting(Chatter chatter) {
        return plainWorld(3).taking(new Latency.Exponential(ofMillis(1))).wanting(once(1).chatting(chatter));
    }

    @ParameterizedTest
    @EnumSource(names = {"APART", "SHARED"})
    void who_has_asked_tells_a_neighbour_which_asks_too_if_it_was_going_to(Chatter chatter) {
        int caused = 0;
        for (long seed = 0; seed < 30; seed++) {
            var calls = List.of(call(1, 0), call(2, 0), call(3, 0));
            var workload = once().calling(calls)
                    .entering(2)
                    .thinking(Duration.ofHours(1))
                    .chatting(chatter);
            var film = Film.of(OPEN, chatting(chatter).wanting(workload), seed);
            assertThat(film.all(TraceLine.Told.class))
                    .hasSize(6)
                    .noneMatch(line -> line.mail().from().equals(line.mail().to()));
            assertThat(film.all(TraceLine.Heard.class)).hasSize(6);
            assertThat(film.outcome().messages()).isZero();
            assertThat(film.outcome().entries()).isEqualTo(6);
            caused += (int) film.times(Happening.Asked.class).stream()
                    .filter(time -> time > 0 && time < 100_000)
                    .count();
        }
        assertThat(caused).isGreaterThan(30);
    }

    @Test
    void who_was_not_going_to_ask_does_not_ask_because_it_was_told() {
        var film = Film.of(OPEN, chatting(Chatter.APART));
        assertThat(film.all(TraceLine.Heard.class)).hasSize(1);
        assertThat(film.times(Happening.Asked.class)).hasSize(1);
    }

    @Test
    void without_chatter_nobody_is_told() {
        assertThat(Film.of(OPEN, chatting(Chatter.NONE)).all(TraceLine.Told.class))
                .isEmpty();
    }

    /** On shared links in order, what is told cannot overtake the request before it. */
    @Test
    void sharing_the_links_chatter_keeps_its_place_among_the_messages() {
        assertThat(overtakings(Chatter.SHARED)).isZero();
        assertThat(overtakings(Chatter.APART)).isPositive();
    }

    private static int overtakings(Chatter chatter) {
        int overtakings = 0;
        for (long seed = 0; seed < 50; seed++) {
            var film = Film.of(new RicartAgrawala(false, List.of()), chatting(chatter), seed);
            var told = film.all(TraceLine.Heard.class).getFirst();
            var heard = film.lines().indexOf(told);
            overtakings += (int) film.all(TraceLine.Stepped.class).stream()
                    .filter(line -> line.node().equals(told.mail().to()) && line.mail() > 0)
                    .filter(line ->
                            line.mail() < told.mail().number() && film.lines().indexOf(line) > heard)
                    .count();
        }
        return overtakings;
    }

    @ParameterizedTest
    @EnumSource
    void one_who_is_alone_has_nobody_to_tell(Chatter chatter) {
        var world = plainWorld(1).wanting(once(1).chatting(chatter));
        assertThat(Film.of(OPEN, world).outcome().entries()).isEqualTo(1);
        var ring = World.of(Topology.ring(1)).wanting(once(1).chatting(chatter));
        assertThat(Film.of(OPEN, ring).outcome().entries()).isEqualTo(1);
    }

    @Test
    void nobody_asks_less_than_once_nor_for_a_negative_time() {
        assertThatThrownBy(() -> once(1).entering(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> once(1).thinking(ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> once(1).holding(ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }
}
