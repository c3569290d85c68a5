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

    private final EagerFollowers eagerFollowers = new EagerFollowers();

    private List<Address> choose(int needed, Map<Address, Long> has, long now) {
        return List.copyOf(eagerFollowers.choose(List.of(A, B, C, D), has::get, needed, now));
    }

    @Test
    void those_are_chosen_who_have_most() {
        assertThat(choose(2, Map.of(A, 1L, B, 3L, C, 2L, D, 0L), 0)).containsExactlyInAnyOrder(B, C);
    }

    @Test
    void among_equals_those_stay_who_were_chosen_before() {
        choose(2, Map.of(A, 1L, B, 1L, C, 2L, D, 2L), 0);
        assertThat(choose(2, Map.of(A, 2L, B, 2L, C, 2L, D, 2L), 0)).containsExactlyInAnyOrder(C, D);
    }

    @Test
    void who_proposes_is_told_too_for_a_while() {
        eagerFollowers.proposed(D, 0);
        var equal = Map.of(A, 1L, B, 1L, C, 1L, D, 1L);
        assertThat(choose(1, equal, SECOND)).containsExactly(A, D);
        assertThat(choose(1, equal, SECOND + 1)).containsExactly(A);
    }

    @Test
    void nobody_else_is_needed_by_one_alone() {
        assertThat(eagerFollowers.choose(List.of(), member -> 0, 0, 0)).isEmpty();
    }
}
