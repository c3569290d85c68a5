package habemus.fenced;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ElectionTableTest {

    private static final Name E = Name.election("e");

    private final Hall hall = new Hall();
    private final long one = hall.open("one");
    private final long two = hall.open("two");
    private final long three = hall.open("three");
    private final long four = hall.open("four");

    private void everybodyCampaigns() {
        hall.campaign(one, 1, "e", 0);
        hall.campaign(two, 1, "e", 1);
        hall.campaign(three, 1, "e", 5);
        hall.campaign(four, 1, "e", 5);
    }

    @Test
    void the_first_leads_and_its_term_is_the_index() {
        assertThat(hall.campaign(one, 1, "e", -3)).isEqualTo(new Answer.Granted(5));
    }

    @Test
    void who_leads_is_not_replaced_by_a_better_one() {
        everybodyCampaigns();
        assertThat(hall.holders(E)).containsExactly(new Claim(one, 1));
    }

    @Test
    void the_best_rank_is_next_and_among_equals_who_came_first() {
        everybodyCampaigns();
        assertThat(hall.waiters(E)).containsExactly(new Claim(three, 1), new Claim(four, 1), new Claim(two, 1));
    }

    @Test
    void who_resigns_is_followed_by_the_next() {
        everybodyCampaigns();
        hall.release(one, 2, 1);
        assertThat(hall.answers())
                .containsExactly(
                        new News.Answered(one, 2, new Answer.Released()),
                        new News.Answered(three, 1, new Answer.Granted(9)));
        assertThat(hall.news()).contains(new News.Changed(E));
    }

    @Test
    void who_leads_can_hand_over_to_whom_it_likes() {
        everybodyCampaigns();
        assertThat(hall.ask(one, 2, new Wish.Transfer(1, "two"))).isEqualTo(new Answer.Released());
        assertThat(hall.granted()).containsExactly(new Claim(two, 1));
        assertThat(hall.waiters(E)).containsExactly(new Claim(three, 1), new Claim(four, 1));
        assertThat(hall.table().describe(E).history().getFirst().how()).isEqualTo(Past.How.TRANSFERRED);
    }

    @Test
    void only_who_leads_can_hand_over() {
        everybodyCampaigns();
        var notLeading = new Answer.Refused(Answer.Fault.NOT_LEADING);
        assertThat(hall.ask(two, 2, new Wish.Transfer(1, "three"))).isEqualTo(notLeading);
        assertThat(hall.ask(one, 2, new Wish.Transfer(7, "three"))).isEqualTo(notLeading);
        hall.acquire(one, 3, Want.exclusive("a"));
        hall.acquire(two, 3, Want.exclusive("a"));
        assertThat(hall.ask(one, 4, new Wish.Transfer(3, "two"))).isEqualTo(notLeading);
    }

    @Test
    void only_to_a_candidate() {
        everybodyCampaigns();
        assertThat(hall.ask(one, 2, new Wish.Transfer(1, "nobody")))
                .isEqualTo(new Answer.Refused(Answer.Fault.NO_CANDIDATE));
        assertThat(hall.holders(E)).containsExactly(new Claim(one, 1));
    }

    @Test
    void handing_over_twice_hands_over_once() {
        everybodyCampaigns();
        hall.ask(one, 2, new Wish.Transfer(1, "two"));
        assertThat(hall.ask(one, 2, new Wish.Transfer(1, "two"))).isEqualTo(new Answer.Released());
        assertThat(hall.granted()).isEmpty();
    }

    @Test
    void an_operator_can_hand_over_too() {
        everybodyCampaigns();
        hall.force(new Command.Order.Transfer("e", 5, "two"));
        assertThat(hall.answers())
                .containsExactly(
                        new News.Answered(one, 1, new Answer.Revoked("olga", "stuck")),
                        new News.Answered(two, 1, new Answer.Granted(9)));
        assertThat(hall.table().audit().first().orElseThrow().effect())
                .isEqualTo("taken from one@host/1, given to two@host/1");
    }

    @Test
    void an_operator_who_means_an_earlier_leader_does_not_meet_the_next() {
        everybodyCampaigns();
        hall.force(new Command.Order.Transfer("e", 5, "two"));
        hall.force(new Command.Order.Transfer("e", 5, "three"));
        assertThat(hall.answers()).isEmpty();
        assertThat(hall.holders(E)).containsExactly(new Claim(two, 1));
        assertThat(hall.table().audit().values().getLast().effect())
                .isEqualTo("nobody led; let in later, and not put out: two@host/1 by fence 9");
    }

    @Test
    void an_operator_is_told_if_nothing_came_of_it() {
        hall.force(new Command.Order.Transfer("e", 4, "two"));
        hall.campaign(one, 1, "e", 0);
        hall.force(new Command.Order.Transfer("e", 6, "two"));
        assertThat(hall.table().audit().values())
                .extracting(Audit::effect)
                .containsExactly("nobody led", "nobody called two was a candidate");
        assertThat(hall.holders(E)).containsExactly(new Claim(one, 1));
    }
}
