package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.AuditRecord;
import habemus.lockservice.Command;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.PastHold;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import org.junit.jupiter.api.Test;

class ElectionTableTest {

    private static final ResourceName E = ResourceName.election("e");

    private final LockTableFixture lockTableFixture = new LockTableFixture();
    private final long one = lockTableFixture.open("one");
    private final long two = lockTableFixture.open("two");
    private final long three = lockTableFixture.open("three");
    private final long four = lockTableFixture.open("four");

    private void everybodyCampaigns() {
        lockTableFixture.campaign(one, 1, "e", 0);
        lockTableFixture.campaign(two, 1, "e", 1);
        lockTableFixture.campaign(three, 1, "e", 5);
        lockTableFixture.campaign(four, 1, "e", 5);
    }

    @Test
    void the_first_leads_and_its_term_is_the_index() {
        assertThat(lockTableFixture.campaign(one, 1, "e", -3)).isEqualTo(new OperationResult.Granted(5));
    }

    @Test
    void who_leads_is_not_replaced_by_a_better_one() {
        everybodyCampaigns();
        assertThat(lockTableFixture.holders(E)).containsExactly(new RequestId(one, 1));
    }

    @Test
    void the_best_rank_is_next_and_among_equals_who_came_first() {
        everybodyCampaigns();
        assertThat(lockTableFixture.waiters(E))
                .containsExactly(new RequestId(three, 1), new RequestId(four, 1), new RequestId(two, 1));
    }

    @Test
    void who_resigns_is_followed_by_the_next() {
        everybodyCampaigns();
        lockTableFixture.release(one, 2, 1);
        assertThat(lockTableFixture.results())
                .containsExactly(
                        new Notification.Result(one, 2, new OperationResult.Released()),
                        new Notification.Result(three, 1, new OperationResult.Granted(9)));
        assertThat(lockTableFixture.notifications()).contains(new Notification.ResourceChanged(E));
    }

    @Test
    void who_leads_can_hand_over_to_whom_it_likes() {
        everybodyCampaigns();
        assertThat(lockTableFixture.submit(one, 2, new Operation.Transfer(1, "two")))
                .isEqualTo(new OperationResult.Released());
        assertThat(lockTableFixture.granted()).containsExactly(new RequestId(two, 1));
        assertThat(lockTableFixture.waiters(E)).containsExactly(new RequestId(three, 1), new RequestId(four, 1));
        assertThat(lockTableFixture.table().describe(E).history().getFirst().endReason())
                .isEqualTo(PastHold.EndReason.TRANSFERRED);
    }

    @Test
    void only_who_leads_can_hand_over() {
        everybodyCampaigns();
        var notLeading = new OperationResult.Rejected(OperationResult.RejectionReason.NOT_LEADER);
        assertThat(lockTableFixture.submit(two, 2, new Operation.Transfer(1, "three")))
                .isEqualTo(notLeading);
        assertThat(lockTableFixture.submit(one, 2, new Operation.Transfer(7, "three")))
                .isEqualTo(notLeading);
        lockTableFixture.acquire(one, 3, ResourceShare.exclusive("a"));
        lockTableFixture.acquire(two, 3, ResourceShare.exclusive("a"));
        assertThat(lockTableFixture.submit(one, 4, new Operation.Transfer(3, "two")))
                .isEqualTo(notLeading);
    }

    @Test
    void only_to_a_candidate() {
        everybodyCampaigns();
        assertThat(lockTableFixture.submit(one, 2, new Operation.Transfer(1, "nobody")))
                .isEqualTo(new OperationResult.Rejected(OperationResult.RejectionReason.NO_CANDIDATE));
        assertThat(lockTableFixture.holders(E)).containsExactly(new RequestId(one, 1));
    }

    @Test
    void handing_over_twice_hands_over_once() {
        everybodyCampaigns();
        lockTableFixture.submit(one, 2, new Operation.Transfer(1, "two"));
        assertThat(lockTableFixture.submit(one, 2, new Operation.Transfer(1, "two")))
                .isEqualTo(new OperationResult.Released());
        assertThat(lockTableFixture.granted()).isEmpty();
    }

    @Test
    void an_operator_can_hand_over_too() {
        everybodyCampaigns();
        lockTableFixture.administer(new Command.AdminAction.Transfer("e", 5, "two"));
        assertThat(lockTableFixture.results())
                .containsExactly(
                        new Notification.Result(one, 1, new OperationResult.Revoked("olga", "stuck")),
                        new Notification.Result(two, 1, new OperationResult.Granted(9)));
        assertThat(lockTableFixture.table().audit().firstValue().orElseThrow().effect())
                .isEqualTo("taken from one@host/1, given to two@host/1");
    }

    @Test
    void an_operator_who_means_an_earlier_leader_does_not_meet_the_next() {
        everybodyCampaigns();
        lockTableFixture.administer(new Command.AdminAction.Transfer("e", 5, "two"));
        lockTableFixture.administer(new Command.AdminAction.Transfer("e", 5, "three"));
        assertThat(lockTableFixture.results()).isEmpty();
        assertThat(lockTableFixture.holders(E)).containsExactly(new RequestId(two, 1));
        assertThat(lockTableFixture.table().audit().values().getLast().effect())
                .isEqualTo("nobody led; let in later, and not put out: two@host/1 by fence 9");
    }

    @Test
    void an_operator_is_told_if_nothing_came_of_it() {
        lockTableFixture.administer(new Command.AdminAction.Transfer("e", 4, "two"));
        lockTableFixture.campaign(one, 1, "e", 0);
        lockTableFixture.administer(new Command.AdminAction.Transfer("e", 6, "two"));
        assertThat(lockTableFixture.table().audit().values())
                .extracting(AuditRecord::effect)
                .containsExactly("nobody led", "nobody called two was a candidate");
        assertThat(lockTableFixture.holders(E)).containsExactly(new RequestId(one, 1));
    }
}
