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

    private final LockTableFixture fixture = new LockTableFixture();
    private final long one = fixture.open("one");
    private final long two = fixture.open("two");
    private final long three = fixture.open("three");
    private final long four = fixture.open("four");

    private void allCampaign() {
        fixture.campaign(one, 1, "e", 0);
        fixture.campaign(two, 1, "e", 1);
        fixture.campaign(three, 1, "e", 5);
        fixture.campaign(four, 1, "e", 5);
    }

    @Test
    void the_first_candidate_leads_and_its_term_is_the_command_index() {
        assertThat(fixture.campaign(one, 1, "e", -3)).isEqualTo(new OperationResult.Granted(5));
    }

    @Test
    void a_leader_is_not_replaced_by_a_candidate_of_higher_rank() {
        allCampaign();
        assertThat(fixture.holders(E)).containsExactly(new RequestId(one, 1));
    }

    @Test
    void candidates_are_ordered_by_rank_then_by_arrival() {
        allCampaign();
        assertThat(fixture.waiters(E))
                .containsExactly(new RequestId(three, 1), new RequestId(four, 1), new RequestId(two, 1));
    }

    @Test
    void the_first_candidate_leads_when_the_leader_resigns() {
        allCampaign();
        fixture.release(one, 2, 1);
        assertThat(fixture.results())
                .containsExactly(
                        new Notification.Result(one, 2, new OperationResult.Released()),
                        new Notification.Result(three, 1, new OperationResult.Granted(9)));
        assertThat(fixture.notifications()).contains(new Notification.ResourceChanged(E));
    }

    @Test
    void the_leader_can_transfer_to_any_candidate() {
        allCampaign();
        assertThat(fixture.submit(one, 2, new Operation.Transfer(1, "two"))).isEqualTo(new OperationResult.Released());
        assertThat(fixture.granted()).containsExactly(new RequestId(two, 1));
        assertThat(fixture.waiters(E)).containsExactly(new RequestId(three, 1), new RequestId(four, 1));
        assertThat(fixture.table().describe(E).history().getFirst().endReason())
                .isEqualTo(PastHold.EndReason.TRANSFERRED);
    }

    @Test
    void only_the_leader_can_transfer() {
        allCampaign();
        var notLeading = new OperationResult.Rejected(OperationResult.RejectionReason.NOT_LEADER);
        assertThat(fixture.submit(two, 2, new Operation.Transfer(1, "three"))).isEqualTo(notLeading);
        assertThat(fixture.submit(one, 2, new Operation.Transfer(7, "three"))).isEqualTo(notLeading);
        fixture.acquire(one, 3, ResourceShare.exclusive("a"));
        fixture.acquire(two, 3, ResourceShare.exclusive("a"));
        assertThat(fixture.submit(one, 4, new Operation.Transfer(3, "two"))).isEqualTo(notLeading);
    }

    @Test
    void the_leader_can_transfer_only_to_a_candidate() {
        allCampaign();
        assertThat(fixture.submit(one, 2, new Operation.Transfer(1, "unknown")))
                .isEqualTo(new OperationResult.Rejected(OperationResult.RejectionReason.NO_CANDIDATE));
        assertThat(fixture.holders(E)).containsExactly(new RequestId(one, 1));
    }

    @Test
    void a_repeated_transfer_is_executed_once() {
        allCampaign();
        fixture.submit(one, 2, new Operation.Transfer(1, "two"));
        assertThat(fixture.submit(one, 2, new Operation.Transfer(1, "two"))).isEqualTo(new OperationResult.Released());
        assertThat(fixture.granted()).isEmpty();
    }

    @Test
    void an_operator_can_transfer_leadership() {
        allCampaign();
        fixture.administer(new Command.AdminAction.Transfer("e", 5, "two"));
        assertThat(fixture.results())
                .containsExactly(
                        new Notification.Result(one, 1, new OperationResult.Revoked("olga", "stuck")),
                        new Notification.Result(two, 1, new OperationResult.Granted(9)));
        assertThat(fixture.table().audit().firstValue().orElseThrow().effect())
                .isEqualTo("taken from one@host/1, given to two@host/1");
    }

    @Test
    void a_forced_transfer_does_not_depose_a_later_leader() {
        allCampaign();
        fixture.administer(new Command.AdminAction.Transfer("e", 5, "two"));
        fixture.administer(new Command.AdminAction.Transfer("e", 5, "three"));
        assertThat(fixture.results()).isEmpty();
        assertThat(fixture.holders(E)).containsExactly(new RequestId(two, 1));
        assertThat(fixture.table().audit().values().getLast().effect())
                .isEqualTo("no leader; granted later, and kept: two@host/1 with fence 9");
    }

    @Test
    void the_audit_says_if_a_forced_transfer_had_no_effect() {
        fixture.administer(new Command.AdminAction.Transfer("e", 4, "two"));
        fixture.campaign(one, 1, "e", 0);
        fixture.administer(new Command.AdminAction.Transfer("e", 6, "two"));
        assertThat(fixture.table().audit().values())
                .extracting(AuditRecord::effect)
                .containsExactly("no leader", "no candidate named two");
        assertThat(fixture.holders(E)).containsExactly(new RequestId(one, 1));
    }
}
