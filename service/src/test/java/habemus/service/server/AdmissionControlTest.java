package habemus.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import habemus.service.server.Principal.Permission;
import habemus.service.server.Principal.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests exceed a limit, and which never do. */
class AdmissionControlTest {

    private static final ServerLimits LIMITS =
            ServerLimits.DEFAULT.withAcquiresPerSession(100).withWaitersPerResource(0);
    private static final Operation ACQUIRE = Operation.Acquire.of(ResourceShare.exclusive("orders"));

    private final AdmissionControl admission = new AdmissionControl(LIMITS, HeapGuard.NONE);

    private Optional<RejectionReason> check(long number, Operation operation) {
        return admission.checkSubmit(new Message.Submit(1, number, 0, operation), Principal.ANONYMOUS);
    }

    @Test
    void an_acquire_beyond_the_request_window_is_rejected() {
        assertThat(check(LIMITS.requestWindow(), ACQUIRE)).isEmpty();
        assertThat(check(LIMITS.requestWindow() + 1, ACQUIRE)).contains(RejectionReason.LIMIT_EXCEEDED);
        assertThat(check(LIMITS.requestWindow() + 1, new Operation.Transfer(1, "other")))
                .contains(RejectionReason.LIMIT_EXCEEDED);
    }

    /** A session at its limit can still release all that it holds, and then close. */
    @ParameterizedTest
    @ValueSource(ints = {1, 50, 100})
    void a_session_at_its_limit_can_release_and_close(int released) {
        assertThat(check(LIMITS.requestWindow() + released, new Operation.Release(released)))
                .isEmpty();
        assertThat(check(LIMITS.requestWindow() + released + 1, new Operation.Close()))
                .isEmpty();
        assertThat(check(Long.MAX_VALUE, new Operation.Close())).isEmpty();
    }

    @Test
    void more_releases_than_possible_holds_are_rejected() {
        assertThat(check(LIMITS.requestWindow() + 101, new Operation.Release(1)))
                .contains(RejectionReason.LIMIT_EXCEEDED);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "a\nb", "a\u202Eb", "a\u200Bb", "e\u0301", " "})
    void a_name_that_is_not_what_it_looks_like_is_rejected(String name) {
        var acquire = new Operation.Acquire(List.of(ResourceShare.exclusive(name)), true, 0);
        assertThat(admission.checkSubmit(new Message.Submit(1, 1, 0, acquire), Principal.ANONYMOUS))
                .contains(RejectionReason.INVALID_NAME);
        for (var client : List.of(new ClientInfo(name, "host", 1), new ClientInfo("a", "host", 1, name))) {
            var open = new Message.OpenSession(1, client, Duration.ofSeconds(10));
            assertThat(admission.checkOpen(open, 0)).isPresent();
        }
    }

    @Test
    void a_nearly_full_heap_refuses_sessions_and_acquires_and_nothing_else() {
        var unlimited = new AdmissionControl(ServerLimits.DEFAULT, () -> true);
        assertThat(unlimited.checkSession(Principal.ANONYMOUS)).contains(RejectionReason.HEAP_FULL);
        assertThat(unlimited.exceededLimit(new Message.Submit(1, 2, 0, ACQUIRE), LockTable.EMPTY))
                .contains(RejectionReason.HEAP_FULL);
        assertThat(unlimited.exceededLimit(new Message.Submit(1, 2, 0, new Operation.Release(1)), LockTable.EMPTY))
                .isEmpty();
    }

    @Test
    void a_session_needs_the_permission_to_use_something() {
        var inspector = new Principal("inspector", List.of(new Rule(List.of(Permission.INSPECT), "", false)));
        assertThat(admission.checkSession(inspector)).contains(RejectionReason.FORBIDDEN);
        var user = new Principal("user", List.of(new Rule(List.of(Permission.USE), "orders", true)));
        assertThat(admission.checkSession(user)).isEmpty();
    }

    @Test
    void the_heap_is_nearly_full_if_most_of_it_is_in_use_after_a_collection() {
        var used = new AtomicLong(84);
        var nanos = new AtomicLong();
        var heap = new HeapGuard.Cached(used::get, 100, nanos::get);
        assertThat(heap.isNearlyFull()).isFalse();
        used.set(86);
        assertThat(heap.isNearlyFull()).as("measured a moment ago").isFalse();
        nanos.addAndGet(100_000_000);
        assertThat(heap.isNearlyFull()).isTrue();
    }

    @Test
    void a_full_queue_limits_only_acquires() {
        for (Operation operation :
                new Operation[] {new Operation.Release(1), new Operation.Close(), new Operation.Transfer(1, "other")}) {
            assertThat(admission.exceededLimit(new Message.Submit(1, 2, 0, operation), LockTable.EMPTY))
                    .isEmpty();
        }
    }
}
