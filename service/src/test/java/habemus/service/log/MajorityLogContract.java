package habemus.service.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** The additional contract of a log that its three nodes keep themselves: a majority decides, and members change. */
public abstract class MajorityLogContract extends ThreeNodeLogContract {

    @Test
    void without_a_majority_nothing_is_committed() throws Exception {
        startAll();
        propose(log(1), "a");
        var last = leader();
        lose(other(last));
        lose(other(last));
        var done = logs.get(last).propose("b".getBytes(UTF_8));
        assertThatThrownBy(() -> done.get(30, SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("majority");
        assertThat(stateMachines.get(last).entries()).containsExactly("a");
    }

    @Test
    void members_are_added_and_removed_at_run_time() throws Exception {
        startAll();
        propose(log(1), lines("a", 10));
        var fourth = members.get(3);
        assertThatThrownBy(() -> log(1).addMember(fourth).get(30, SECONDS))
                .hasCauseInstanceOf(ProposalRejectedException.class)
                .hasMessageContaining("node is not connected: n4");
        start(fourth.node(), true);
        change(() -> log(2).addMember(fourth));
        await(() -> logs.values().stream().allMatch(log -> log.members().size() == 4));
        assertAllApplied(List.of(lines("a", 10)));
        propose(log(4), "four");

        var gone = other(leader(), fourth.node());
        assertThatThrownBy(() -> log(1).removeMember(leader()).get(30, SECONDS))
                .hasCauseInstanceOf(ProposalRejectedException.class)
                .hasMessageContaining("cannot remove the leader");
        lose(gone);
        change(() -> logs.get(other()).removeMember(gone));
        await(() -> logs.values().stream().allMatch(log -> log.members().size() == 3));

        var lost = other(leader(), fourth.node());
        lose(lost);
        propose(log(4), "two of three");
        lose(fourth.node());
        start(fourth.node(), true);
        assertAllApplied(concat(lines("a", 10), "four", "two of three"));
        await(() -> log(4).members().size() == 3 && log(4).members().contains(fourth));
    }

    /** Retries until no other change is in progress. */
    private static void change(java.util.function.Supplier<CompletableFuture<Void>> how) throws Exception {
        for (int i = 0; ; i++) {
            try {
                how.get().get(30, SECONDS);
                return;
            } catch (ExecutionException early) {
                assertThat(early.getCause())
                        .isInstanceOfAny(ProposalRejectedException.class, IndeterminateOutcomeException.class);
                assertThat(i).as(early.getMessage()).isLessThan(100);
                java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
            }
        }
    }
}
