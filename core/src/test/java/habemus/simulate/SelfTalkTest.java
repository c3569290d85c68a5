package habemus.simulate;

import static habemus.simulate.Film.n;
import static habemus.simulate.Film.once;
import static habemus.simulate.Film.plainWorld;
import static habemus.simulate.Puppet.note;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.simulate.Puppet.Note;
import habemus.world.Latency;
import habemus.world.TraceLine;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Messages to oneself, and dice: both belong to the step that caused them. */
class SelfTalkTest {

    private static final World WORLD = plainWorld(2).wanting(once(1));

    @Test
    void messages_to_oneself_arrive_at_once_in_order_before_anything_else() {
        var puppet = Puppet.electing((step, event) -> event instanceof Event.Campaign
                ? step.send(n(1), note("a")).send(n(2), note("b")).send(n(1), note("c"))
                : step);
        var film = Film.of(puppet, WORLD.wanting(once(1, 1)).taking(new Latency.Fixed(Duration.ZERO)));
        assertThat(film.story(1))
                .containsExactly(
                        "0 starts FIRST",
                        "0 campaigns",
                        "0 hears a from n1",
                        "0 hears c from n1",
                        "0 campaigns",
                        "0 hears a from n1",
                        "0 hears c from n1");
    }

    @Test
    void what_a_message_to_oneself_causes_comes_after_the_others_that_wait() {
        var puppet = Puppet.electing((step, event) -> switch (event) {
            case Event.Campaign<Note>() -> step.send(n(1), note("a")).send(n(1), note("b"));
            case Event.Received<Note>(var from, var heard) when heard.equals(note("a")) -> step.send(n(1), note("c"));
            default -> step;
        });
        assertThat(Film.of(puppet, WORLD).plot(1)).endsWith("hears a from n1", "hears b from n1", "hears c from n1");
    }

    @Test
    void messages_to_oneself_are_not_counted_nor_lost() {
        var puppet = Puppet.electing((step, event) ->
                event instanceof Event.Campaign ? step.sendAll(NodeSet.of(n(1), n(2)), note("a")) : step);
        var film = Film.of(puppet, WORLD.over(WORLD.network().losing(1)));
        assertThat(film.plot(1)).contains("hears a from n1");
        assertThat(film.outcome().messages()).isEqualTo(1);
        assertThat(film.all(TraceLine.Acted.class).stream().flatMap(line -> line.sent().stream()))
                .singleElement()
                .satisfies(mail -> assertThat(mail.to()).isEqualTo(n(2)));
    }

    @Test
    void a_node_may_talk_to_itself_on_coming_up() {
        var puppet = Puppet.electing(step -> step.send(step.state().self(), note("up")), (step, event) -> step);
        assertThat(Film.of(puppet, plainWorld(2)).plot(2)).containsExactly("starts FIRST", "hears up from n2");
    }

    @Test
    void a_node_that_talks_to_itself_for_ever_has_a_bug() {
        var puppet = Puppet.electing((step, event) -> step.send(n(1), note("again")));
        var outcome = Film.of(puppet, WORLD).outcome();
        assertThat(outcome.end()).isEqualTo(Outcome.End.BUG);
        assertThat(outcome.bug()).contains("talking to oneself for ever");
    }

    @Test
    void a_node_may_talk_to_itself_a_little_at_every_event_for_ever() {
        var puppet = Puppet.electing((step, event) -> switch (event) {
            case Event.Campaign<Note>() -> step.send(n(1), note("100"));
            case Event.Received<Note>(var from, var heard)
            when !heard.equals(note("1")) -> step.send(n(1), note("" + (Integer.parseInt(heard.text()) - 1)));
            default -> step;
        });
        var outcome = Film.of(puppet, WORLD.wanting(once(1).entering(50))).outcome();
        assertThat(outcome.end()).isEqualTo(Outcome.End.REST);
        assertThat(outcome.steps()).isEqualTo(2 + 50 * 101);
    }

    @Test
    void dice_come_to_rest_within_the_step_before_messages_to_oneself() {
        var puppet = Puppet.electing((step, event) -> event instanceof Event.Campaign
                ? step.send(n(1), note("a")).roll(1).roll(1)
                : step);
        assertThat(Film.of(puppet, WORLD).story(1))
                .containsExactly("0 starts FIRST", "0 campaigns", "0 rolls 0", "0 rolls 0", "0 hears a from n1");
    }

    @Test
    void dice_show_every_side_and_no_other() {
        var puppet = Puppet.electing((step, event) -> event instanceof Event.Campaign ? step.roll(6) : step);
        var outcomes = LongStream.range(0, 200)
                .mapToObj(seed -> Film.of(puppet, WORLD, seed).plot(1).getLast())
                .distinct();
        assertThat(outcomes)
                .containsExactlyInAnyOrder("rolls 0", "rolls 1", "rolls 2", "rolls 3", "rolls 4", "rolls 5");
    }

    @Test
    void who_rolls_is_the_one_that_learns_the_outcome() {
        var puppet = Puppet.electing((step, event) -> event instanceof Event.Campaign ? step.roll(6) : step);
        assertThat(Film.of(puppet, WORLD).plot(2)).containsExactly("starts FIRST");
    }

    @Test
    void a_bug_in_a_step_that_a_message_to_oneself_caused_ends_the_run() {
        var puppet = Puppet.electing((step, event) -> {
            ProtocolBug.unless(!(event instanceof Event.Received), "hearing", step.state());
            return step.sendAll(NodeSet.of(List.of(n(1))), note("a"));
        });
        assertThat(Film.of(puppet, WORLD).outcome().bug()).startsWith("hearing cannot happen in State");
    }
}
