package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

class EagerFollowersTest {

    private static final Address A = UUID.randomUUID();
    private static final Address B = UUID.randomUUID();
    private static final Address C = UUID.randomUUID();
    private static final Address D = UUID.randomUUID();
    private static final long SECOND = 1_000_000_000L;

    private final EagerFollowers followers = new EagerFollowers();

    private List<Address> choose(int needed, Map<Address, Long> has, long now) {
        return List.copyOf(followers.choose(List.of(A, B, C, D), has::get, needed, now));
    }

    @Test
    void the_followers_with_the_longest_logs_are_eager() {
        assertThat(choose(2, Map.of(A, 1L, B, 3L, C, 2L, D, 0L), 0)).containsExactlyInAnyOrder(B, C);
    }

    @Test
    void among_equal_followers_the_eager_ones_stay() {
        choose(2, Map.of(A, 1L, B, 1L, C, 2L, D, 2L), 0);
        assertThat(choose(2, Map.of(A, 2L, B, 2L, C, 2L, D, 2L), 0)).containsExactlyInAnyOrder(C, D);
    }

    @Test
    void a_recent_proposer_is_eager_too() {
        followers.proposed(D, 0);
        var equal = Map.of(A, 1L, B, 1L, C, 1L, D, 1L);
        assertThat(choose(1, equal, SECOND)).containsExactly(A, D);
        assertThat(choose(1, equal, SECOND + 1)).containsExactly(A);
    }

    @Test
    void a_single_node_has_no_eager_followers() {
        assertThat(followers.choose(List.of(), member -> 0, 0, 0)).isEmpty();
    }
}
