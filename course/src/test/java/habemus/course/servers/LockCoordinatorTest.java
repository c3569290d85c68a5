package habemus.course.servers;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import org.junit.jupiter.api.Test;

class LockCoordinatorTest {

    private static final NodeId FIRST = new NodeId(2);
    private static final NodeId SECOND = new NodeId(3);

    private final LockCoordinator coordinator = new LockCoordinator();

    @Test
    void a_free_lock_is_granted() {
        assertThat(coordinator.acquire("orders", FIRST)).isEqualTo(new LockReply.Granted(1));
    }

    @Test
    void a_held_lock_queues_the_client() {
        coordinator.acquire("orders", FIRST);
        assertThat(coordinator.acquire("orders", SECOND)).isEqualTo(new LockReply.Waiting(1));
    }

    @Test
    void locks_are_independent() {
        coordinator.acquire("orders", FIRST);
        assertThat(coordinator.acquire("bills", SECOND)).isEqualTo(new LockReply.Granted(1));
    }

    @Test
    void a_client_that_asks_again_keeps_its_place() {
        coordinator.acquire("orders", FIRST);
        coordinator.acquire("orders", SECOND);
        assertThat(coordinator.acquire("orders", SECOND)).isEqualTo(new LockReply.Waiting(1));
        assertThat(coordinator.acquire("orders", FIRST)).isEqualTo(new LockReply.Granted(1));
    }

    @Test
    void a_release_grants_the_lock_to_the_first_waiter_with_a_higher_fence() {
        coordinator.acquire("orders", FIRST);
        coordinator.acquire("orders", SECOND);
        assertThat(coordinator.release("orders", FIRST, 1)).isEqualTo(new LockReply.Released());
        assertThat(coordinator.acquire("orders", SECOND)).isEqualTo(new LockReply.Granted(2));
    }

    @Test
    void a_release_with_another_fence_is_rejected() {
        coordinator.acquire("orders", FIRST);
        assertThat(coordinator.release("orders", FIRST, 7)).isEqualTo(new LockReply.Rejected("not-held"));
        assertThat(coordinator.release("orders", SECOND, 1)).isEqualTo(new LockReply.Rejected("not-held"));
    }

    @Test
    void a_full_queue_of_a_lock_rejects() {
        for (int i = 0; i < LockCoordinator.MAX_QUEUE; i++) {
            coordinator.acquire("orders", new NodeId(2 + i));
        }
        assertThat(coordinator.acquire("orders", new NodeId(1000))).isEqualTo(new LockReply.Rejected("full"));
    }
}
