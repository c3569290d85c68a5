package habemus.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Catalogue;
import habemus.catalogue.Setting;
import habemus.election.Bully;
import habemus.mutex.Central;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.Ranking;
import habemus.world.Happening;
import habemus.world.Hazard;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceLine;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may crash can be told by what is seen of a node. */
class VictimsTest {

    private static final Scope THREE = Scope.of(Topology.complete(3)).allowing(Hazard.CRASH, 1);
    private static final Central CENTRAL = new Central(Duration.ZERO, false);
    private static final NodeSet FIRST = NodeSet.of(new NodeId(1));
    private static final Bully BULLY = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));

    private static Report central(Victim victim) {
        return Checker.check(CENTRAL, THREE.striking(victim, FIRST), Property.NO_STARVATION, Property.MUTUAL_EXCLUSION);
    }

    private static Verdict starves(Victim victim) {
        return central(victim).verdict(Property.NO_STARVATION);
    }

    @Test
    void central_waits_for_ever_for_a_holder_a_waiter_or_the_coordinator_but_not_for_a_bystander() {
        assertThat(starves(Victim.HOLDER)).isEqualTo(Verdict.VIOLATED);
        assertThat(starves(Victim.WAITER)).isEqualTo(Verdict.VIOLATED);
        assertThat(starves(Victim.COORDINATOR)).isEqualTo(Verdict.VIOLATED);
        assertThat(starves(Victim.BYSTANDER)).isEqualTo(Verdict.HOLDS);
        assertThat(starves(Victim.ANYONE)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void the_small_world_of_each_is_as_large_as_it_was() {
        assertThat(List.of(
                        central(Victim.ANYONE).states(),
                        central(Victim.BYSTANDER).states(),
                        central(Victim.WAITER).states(),
                        central(Victim.HOLDER).states(),
                        central(Victim.COORDINATOR).states()))
                .containsExactly(512L, 260L, 260L, 158L, 252L);
    }

    @ParameterizedTest
    @EnumSource(names = {"WAITER", "HOLDER", "COORDINATOR"})
    void who_crashes_in_a_counterexample_is_one_of_them(Victim victim) {
        var run = central(victim).find("no-starvation").orElseThrow().run();
        var crashed = run.stream()
                .filter(line -> line instanceof TraceLine.Seen(var at, var what) && what instanceof Happening.Crashed)
                .map(line -> (Happening.Crashed) ((TraceLine.Seen) line).happening())
                .findFirst()
                .orElseThrow();
        assertThat(crashed.node().equals(new NodeId(1))).isEqualTo(victim == Victim.COORDINATOR);
        assertThat(crashed.asking()).isEqualTo(victim == Victim.WAITER);
    }

    @Test
    void a_leader_is_a_holder_and_a_candidate_that_names_nobody_a_waiter() {
        may(Victim.HOLDER, "3ask.3crash");
        mayNot(Victim.HOLDER, "2ask.2crash");
        may(Victim.WAITER, "2ask.2crash");
        mayNot(Victim.WAITER, "3ask.3crash");
        may(Victim.BYSTANDER, "3ask.1crash");
        mayNot(Victim.BYSTANDER, "3ask.3crash");
        may(Victim.BYSTANDER, "2ask.3from2.2from3.2from3.2crash");
    }

    private static Course walk(Victim victim, String moves) {
        var player = new Player(BULLY, THREE.striking(victim, NodeSet.NONE), List.of());
        return player.play(Schedule.parse(moves));
    }

    private static void may(Victim victim, String moves) {
        assertThat(walk(victim, moves).made()).isNotEmpty();
    }

    private static void mayNot(Victim victim, String moves) {
        assertThatThrownBy(() -> walk(victim, moves)).isInstanceOf(Schedule.Impossible.class);
    }

    @Test
    void who_crashes_amid_a_step_is_what_it_became_in_it() {
        var cutting = THREE.cutting();
        assertThat(isPossible(CENTRAL, cutting.striking(Victim.HOLDER, FIRST), "2ask.1from2.2from1/1"))
                .isFalse();
        assertThat(isPossible(BULLY, cutting.striking(Victim.HOLDER, NodeSet.NONE), "3ask/4"))
                .isTrue();
        assertThat(isPossible(BULLY, cutting.striking(Victim.HOLDER, NodeSet.NONE), "2ask/2"))
                .isFalse();
        assertThat(isPossible(BULLY, cutting.striking(Victim.WAITER, NodeSet.NONE), "2ask/2"))
                .isTrue();
    }

    private static boolean isPossible(Protocol<?, ?> protocol, Scope scope, String moves) {
        try {
            return !new Player(protocol, scope, List.of())
                    .play(Schedule.parse(moves))
                    .made()
                    .isEmpty();
        } catch (Schedule.Impossible impossible) {
            return false;
        }
    }

    @Test
    void what_was_found_is_played_whoever_crashes_in_it() {
        var found = central(Victim.HOLDER).find("no-starvation").orElseThrow();
        assertThat(Checker.play(CENTRAL, THREE, found.schedule()).lines()).isNotEmpty();
    }

    @Test
    void detectors_have_no_holders() {
        var perfect = Catalogue.find("perfect").orElseThrow().make(Setting.standard());
        assertThatThrownBy(() -> Checker.check(perfect, THREE.striking(Victim.HOLDER, NodeSet.NONE)))
                .hasMessageContaining("anyone may crash");
    }

    @Test
    void the_catalogue_tells_who_coordinates() {
        assertThat(coordinators("central")).isEqualTo(FIRST);
        assertThat(coordinators("lamport")).isEqualTo(NodeSet.NONE);
        assertThat(coordinators("quorum")).isEqualTo(NodeSet.NONE);
    }

    private static NodeSet coordinators(String name) {
        return Catalogue.find(name)
                .orElseThrow()
                .coordinators()
                .apply(Setting.standard().among(3));
    }
}
