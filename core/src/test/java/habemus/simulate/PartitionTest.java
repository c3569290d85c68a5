package habemus.simulate;

import static habemus.simulate.Film.at;
import static habemus.simulate.Film.call;
import static habemus.simulate.Film.n;
import static habemus.simulate.Film.once;
import static habemus.simulate.Film.plainWorld;
import static habemus.simulate.Film.struck;
import static habemus.simulate.Puppet.note;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.Happening;
import habemus.world.Network;
import habemus.world.TraceLine;
import habemus.world.World;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Links that are cut, slow, lossy or doubling. */
class PartitionTest {

    /** Who campaigns tells both others how many steps it has made. */
    private static final Puppet PUPPET = Puppet.electing((step, event) -> event instanceof Event.Campaign
            ? step.sendAll(
                    NodeSet.of(n(1), n(2), n(3)).without(step.state().self()),
                    note("" + step.state().steps()))
            : step);

    private static final Fault.Cut CUT = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(2)), true);
    private static final Fault.Cut ONE_WAY = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(2)), false);

    private static World world(Fault.Planned... faults) {
        return struck(plainWorld(3).wanting(once(1, 2)), faults);
    }

    @Test
    void what_is_sent_over_a_cut_link_does_not_arrive() {
        var film = Film.of(PUPPET, world(at(0, CUT), at(500, new Fault.Mend(CUT))));
        assertThat(film.story(1)).containsExactly("0 starts FIRST", "0 campaigns");
        assertThat(film.story(2)).containsExactly("0 starts FIRST", "0 campaigns");
        assertThat(film.story(3)).contains("1000 hears 1 from n1", "1000 hears 1 from n2");
        assertThat(film.fates()).containsExactly(TraceLine.Fate.CUT_OFF, TraceLine.Fate.CUT_OFF);
        assertThat(film.all(TraceLine.Fared.class)).allMatch(line -> line.at() == 0);
    }

    @Test
    void what_arrives_over_a_cut_link_does_not_get_through() {
        var film = Film.of(PUPPET, world(at(500, CUT)));
        assertThat(film.story(2)).containsExactly("0 starts FIRST", "0 campaigns");
        assertThat(film.fates()).containsExactly(TraceLine.Fate.CUT_OFF, TraceLine.Fate.CUT_OFF);
        assertThat(film.all(TraceLine.Fared.class)).allMatch(line -> line.at() == 1_000);
    }

    @Test
    void a_cut_that_is_over_before_the_message_arrives_does_no_harm() {
        var film = Film.of(PUPPET, world(at(200, CUT), at(800, new Fault.Mend(CUT))));
        assertThat(film.fates()).isEmpty();
        assertThat(film.story(2)).contains("1000 hears 1 from n1");
    }

    @Test
    void cut_one_way_the_other_way_is_open() {
        for (long when : List.of(0L, 500L)) {
            var film = Film.of(PUPPET, world(at(when, ONE_WAY)));
            assertThat(film.story(1)).contains("1000 hears 1 from n2");
            assertThat(film.story(2)).doesNotContain("1000 hears 1 from n1");
        }
    }

    @Test
    void what_is_cut_off_counts_as_sent() {
        assertThat(Film.of(PUPPET, world(at(0, CUT))).outcome().messages()).isEqualTo(4);
    }

    @Test
    void cuts_and_their_ends_are_seen_from_outside() {
        var film = Film.of(PUPPET, world(at(10, CUT), at(20, new Fault.Mend(CUT)), at(30, new Fault.Mend(CUT))));
        assertThat(film.times(Happening.Parted.class)).containsExactly(10L);
        assertThat(film.times(Happening.Mended.class)).containsExactly(20L);
    }

    @Test
    void a_slow_link_is_slow_one_way_for_what_is_sent_while_it_is() {
        var slow = at(0, new Fault.Slow(n(1), n(2), 7));
        var world = world(slow, at(500, new Fault.Slow(n(1), n(2), 1)))
                .over(Network.BAG)
                .wanting(once().calling(List.of(call(1, 0), call(2, 0), call(1, 600))));
        var film = Film.of(PUPPET, world);
        assertThat(film.story(2)).contains("7000 hears 1 from n1", "1600 hears 2 from n1");
        assertThat(film.story(1)).contains("1000 hears 1 from n2");
        assertThat(film.story(3)).contains("1000 hears 1 from n1");
    }

    @Test
    void in_order_what_was_sent_over_a_slow_link_is_not_overtaken() {
        var world = world(at(0, new Fault.Slow(n(1), n(2), 7)), at(500, new Fault.Slow(n(1), n(2), 1)))
                .wanting(once().calling(List.of(call(1, 0), call(1, 600))));
        assertThat(Film.of(PUPPET, world).story(2))
                .containsExactly("0 starts FIRST", "7000 hears 1 from n1", "7000 hears 2 from n1");
    }

    @Test
    void what_is_lost_does_not_arrive_and_what_is_doubled_arrives_twice() {
        var lossy = Film.of(PUPPET, world().over(Network.FIFO.losing(1)));
        assertThat(lossy.fates()).hasSize(4).containsOnly(TraceLine.Fate.LOST);
        assertThat(lossy.plot(3)).containsExactly("starts FIRST");
        var doubling = Film.of(PUPPET, world().over(Network.FIFO.duplicating(1)));
        assertThat(doubling.fates()).hasSize(4).containsOnly(TraceLine.Fate.DUPLICATED);
        assertThat(Collections.frequency(doubling.plot(3), "hears 1 from n1")).isEqualTo(2);
        assertThat(doubling.outcome().messages()).isEqualTo(4);
    }

    @Test
    void healed_nothing_is_cut_slow_lost_or_doubled_any_more() {
        var world = world(at(0, CUT), at(0, new Fault.Slow(n(1), n(2), 9)), at(400, new Fault.Heal()))
                .over(new Network(true, 0.5, 1))
                .wanting(once().calling(List.of(call(1, 500), call(2, 500))));
        var film = Film.of(PUPPET, world);
        assertThat(film.fates()).isEmpty();
        assertThat(film.story(2)).contains("1500 hears 1 from n1");
        assertThat(film.times(Happening.Mended.class)).containsExactly(400L);
    }

    @Test
    void healing_does_not_bring_back_who_is_down() {
        var film = Film.of(PUPPET, world(at(10, new Fault.Crash(n(3))), at(20, new Fault.Heal())));
        assertThat(film.plot(3)).containsExactly("starts FIRST");
    }
}
