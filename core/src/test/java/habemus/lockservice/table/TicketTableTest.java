package habemus.lockservice.table;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.PastHold.EndReason;
import habemus.lockservice.RequestId;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.TicketId;
import habemus.lockservice.table.TicketRegistry.TicketEntry;
import org.junit.jupiter.api.Test;

class TicketTableTest {

    private static final TicketId TICKET = new TicketId(7, 8);
    private static final ResourceName A = ResourceName.lock("a");
    private static final ResourceShare ALL_A = ResourceShare.exclusive("a");

    private final LockTableFixture fixture = new LockTableFixture();

    /** A node asks for the ticket. {@return the session that it is told} */
    private long ask(TicketId ticket, long asking) {
        return ask(ticket, asking, fixture.table().index());
    }

    private long ask(TicketId ticket, long asking, long seenIndex) {
        var origin = new SessionOrigin.TicketRequest(ticket, asking, seenIndex);
        var opened = fixture.apply(
                new Command.OpenSession(asking, new ClientInfo("curl", "host", 1), LockTableFixture.LEASE, origin));
        return opened.stream()
                .filter(Notification.SessionOpened.class::isInstance)
                .map(notification -> ((Notification.SessionOpened) notification).session())
                .findFirst()
                .orElseThrow();
    }

    private void release(long session) {
        fixture.submit(session, 2, new Operation.Release(1));
        fixture.submit(session, 3, new Operation.Close());
    }

    private TicketEntry entry() {
        return fixture.table().tickets().get(TICKET).orElseThrow();
    }

    @Test
    void one_ticket_asked_at_three_nodes_stands_in_the_queue_once() {
        long holder = fixture.open("holder");
        fixture.acquire(holder, 1, ALL_A);
        long session = ask(TICKET, 1);
        assertThat(ask(TICKET, 2)).isEqualTo(session);
        assertThat(ask(TICKET, 3)).isEqualTo(session);
        for (int node = 1; node <= 3; node++) {
            assertThat(fixture.acquire(session, 1, ALL_A)).isEqualTo(new OperationResult.Waiting());
        }
        assertThat(fixture.waiters(A)).containsExactly(new RequestId(session, 1));
    }

    @Test
    void a_released_ticket_is_not_taken_again_by_a_late_request() {
        long before = fixture.table().index();
        long session = ask(TICKET, 1);
        fixture.acquire(session, 1, ALL_A);
        release(session);
        assertThat(ask(TICKET, 2, before)).isEqualTo(session);
        assertThat(fixture.apply(new Command.Submit(session, 1, 0, Operation.Acquire.of(ALL_A))))
                .containsExactly(new Notification.SessionExpired(session));
        assertThat(fixture.isEmpty()).isTrue();
        assertThat(entry()).isEqualTo(new TicketEntry.Ended(session, EndReason.RELEASED));
    }

    @Test
    void the_end_of_an_earlier_http_request_does_not_end_the_ticket() {
        long session = ask(TICKET, 1);
        ask(TICKET, 2);
        fixture.acquire(session, 1, ALL_A);
        fixture.submit(session, 3, new Operation.Abandon(1));
        assertThat(fixture.holders(A)).containsExactly(new RequestId(session, 1));
        fixture.submit(session, 3, new Operation.Abandon(2));
        assertThat(fixture.isEmpty()).isTrue();
    }

    @Test
    void a_ticket_whose_lease_ends_in_the_queue_may_be_asked_for_again() {
        fixture.acquire(fixture.open("holder"), 1, ALL_A);
        long session = ask(TICKET, 1);
        fixture.acquire(session, 1, ALL_A);
        fixture.expire(session);
        assertThat(ask(TICKET, 2)).isGreaterThan(session);
    }

    @Test
    void a_ticket_whose_lease_ends_while_it_holds_has_ended() {
        long session = ask(TICKET, 1);
        fixture.acquire(session, 1, ALL_A);
        fixture.expire(session);
        assertThat(ask(TICKET, 2)).isEqualTo(session);
        assertThat(entry()).isEqualTo(new TicketEntry.Ended(session, EndReason.EXPIRED));
    }

    @Test
    void a_revoked_ticket_is_remembered_as_revoked() {
        long session = ask(TICKET, 1);
        fixture.acquire(session, 1, ALL_A);
        fixture.release(A);
        fixture.expire(session);
        assertThat(entry()).isEqualTo(new TicketEntry.Ended(session, EndReason.REVOKED));
    }

    @Test
    void a_late_request_is_refused_after_its_ticket_was_forgotten() {
        long before = fixture.table().index();
        release(ask(TICKET, 1));
        for (int i = 0; i < TicketRegistry.ENDED_LIMIT; i++) {
            fixture.submit(ask(new TicketId(1, i), i), 3, new Operation.Close());
        }
        assertThat(fixture.table().tickets().get(TICKET)).isEmpty();
        assertThat(fixture.table().tickets().entries().size()).isEqualTo(TicketRegistry.ENDED_LIMIT);
        assertThat(ask(TICKET, 2, before)).isEqualTo(LockTable.NO_SESSION);
        assertThat(ask(TICKET, 2)).isEqualTo(fixture.table().index());
    }

    @Test
    void a_snapshot_keeps_open_and_ended_tickets() {
        release(ask(TICKET, 1));
        ask(new TicketId(0, 1), 2);
        assertThat(fixture.table().snapshot().toTable()).isEqualTo(fixture.table());
    }
}
