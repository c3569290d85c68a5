package habemus.check;

import static habemus.ProtocolFixture.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.election.Bully;
import habemus.election.BullyEfficient;
import habemus.election.BullyStable;
import habemus.election.CollectingRing;
import habemus.election.MaxAlive;
import habemus.election.TermMajority;
import habemus.election.VoteWeights;
import habemus.mutex.Central;
import habemus.mutex.TokenRing;
import habemus.protocol.Protocol;
import habemus.protocol.Ranking;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Pins the state counts of worlds in which n3 joins and one node leaves. */
class PinnedMembershipTest {

    private static final Duration ANSWER = Duration.ofMillis(100);
    private static final Duration COORDINATOR = Duration.ofMillis(500);
    private static final Scope CHANGES =
            Scope.of(Topology.complete(3)).withJoins(1).withFault(FaultKind.LEAVE, 1);
    private static final Property[] MUTEX = {
        Property.MUTUAL_EXCLUSION, Property.FENCES_GROW, Property.DEADLOCK_FREEDOM, Property.NO_STARVATION
    };
    private static final Property[] SAFE = {Property.MUTUAL_EXCLUSION, Property.FENCES_GROW};
    private static final Property[] BEST_LEADS = {Property.TERMINATION, Property.AGREEMENT, Property.BEST_WINS};

    private static void assertHolds(
            Protocol<?, ?> protocol, Scope scope, Property[] properties, long states, long transitions) {
        var report = ModelChecker.check(protocol, scope, properties);
        StateCounts.assertSize(report, states, transitions);
        assertThat(report.hasViolation()).isFalse();
        for (Property property : properties) {
            assertThat(report.verdict(property)).as(property.toString()).isEqualTo(Verdict.HOLDS);
        }
    }

    @Test
    void central() {
        assertHolds(new Central(Duration.ZERO, false), CHANGES, MUTEX, 1_813, 4_146);
    }

    @Test
    void token_ring() {
        assertHolds(new TokenRing(false), CHANGES, MUTEX, 1_634, 4_388);
        assertHolds(new TokenRing(false), CHANGES.withUnorderedLinks(), MUTEX, 1_634, 4_388);
    }

    @Test
    void token_ring_with_two_joins_and_two_leaves() {
        var scope = Scope.of(Topology.complete(4)).withJoins(2).withFault(FaultKind.LEAVE, 2);
        assertHolds(new TokenRing(false), scope, SAFE, 82_600, 262_104);
    }

    @Test
    void ring_with_a_crash() {
        var ring = new CollectingRing(Ranking.BY_NUMBER, true);
        assertHolds(ring, CHANGES, BEST_LEADS, 76_125, 204_385);
        var crash = Scope.of(Topology.complete(3)).withJoins(1).withFault(FaultKind.CRASH, 1);
        assertHolds(ring, crash, BEST_LEADS, 155_253, 454_082);
    }

    @Test
    void bullies() {
        var scope = CHANGES.synchronous();
        assertHolds(new Bully(Ranking.BY_NUMBER, ANSWER, COORDINATOR), scope, BEST_LEADS, 302_301, 1_175_583);
        assertHolds(new BullyEfficient(Ranking.BY_NUMBER, ANSWER, COORDINATOR), scope, BEST_LEADS, 71_813, 248_312);
        Property[] stable = {Property.UNIQUENESS, Property.STABILITY, Property.TERMINATION, Property.AGREEMENT};
        assertHolds(new BullyStable(Ranking.BY_NUMBER, ANSWER, COORDINATOR), scope, stable, 71_422, 296_070);
    }

    @Test
    void max_alive_with_a_crash_and_a_restart() {
        var scope = CHANGES.withFault(FaultKind.CRASH, 1).withFault(FaultKind.RESTART, 1);
        assertHolds(new MaxAlive(Ranking.BY_NUMBER), scope, BEST_LEADS, 5_074, 14_599);
    }

    @Test
    void term_majority() {
        var terms = new TermMajority(VoteWeights.EQUAL, false, false, Duration.ofMillis(300), ANSWER);
        var scope = CHANGES.withMaxTimeouts(0);
        Property[] safe = {Property.ONE_LEADER_PER_TERM};
        assertHolds(terms, scope, safe, 711_742, 2_466_718);
    }

    @Test
    void a_change_waits_until_all_live_nodes_know_the_last_one() {
        var scope = Scope.of(Topology.complete(3)).withFault(FaultKind.LEAVE, 2);
        var ring = new MaxAlive(Ranking.BY_NUMBER);
        assertThatThrownBy(() -> ModelChecker.play(ring, scope, Schedule.parse("3leave.1left3.2leave")))
                .hasMessageContaining("move 3 is not possible: 2leave");
        assertThat(ModelChecker.play(ring, scope, Schedule.parse("3leave.1left3.2left3.2leave.1left2"))
                        .quiescent())
                .isTrue();
    }

    @Test
    void a_node_learns_of_a_leave_after_the_last_message_of_the_node() {
        var scope = Scope.of(Topology.complete(2)).withFault(FaultKind.LEAVE, 1);
        var central = new Central(Duration.ZERO, false);
        assertThatThrownBy(() -> ModelChecker.play(central, scope, Schedule.parse("2request.2leave.1left2")))
                .hasMessageContaining("move 3 is not possible: 1left2");
    }

    @Test
    void a_node_hears_of_a_new_member_before_its_first_message() {
        var scope = Scope.of(Topology.complete(2)).withJoiners(nodes(2));
        var bully = new Bully(Ranking.BY_NUMBER, ANSWER, COORDINATOR);
        assertThatThrownBy(() -> ModelChecker.play(bully, scope, Schedule.parse("2join.1from2")))
                .hasMessageContaining("move 2 is not possible: 1from2");
    }

    @Test
    void the_reductions_keep_the_verdicts() {
        for (CheckOptions options : new CheckOptions[] {
            CheckOptions.defaults().withOrderReduction(),
            CheckOptions.defaults().withSymmetryReduction()
        }) {
            CheckReport report = ModelChecker.check(new TokenRing(false), CHANGES.withOptions(options), SAFE);
            assertThat(report.hasViolation()).isFalse();
            assertThat(report.isComplete()).isTrue();
        }
    }
}
