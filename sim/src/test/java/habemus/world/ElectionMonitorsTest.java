package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ElectionMonitorsTest {

    private static final Fault.Cut CUT = cut(1, 2, true);

    /** Whether the property holds after these events. */
    private static <H> boolean holds(PropertyMonitor<H> monitor, ObservableEvent... events) {
        var state = monitor.initialState();
        for (ObservableEvent event : events) {
            state = monitor.next(state, event);
        }
        return monitor.holds(state);
    }

    private static Fault.Cut cut(int from, int to, boolean bothWays) {
        return new Fault.Cut(NodeSet.of(new NodeId(from)), NodeSet.of(new NodeId(to)), bothWays);
    }

    private static ObservableEvent requested(int node) {
        return new ObservableEvent.Requested(new NodeId(node), NodeSet.NONE);
    }

    private static ObservableEvent announced(int node, int leader) {
        return announced(node, leader, 1);
    }

    private static ObservableEvent announced(int node, int leader, long term) {
        return new ObservableEvent.LeaderAnnounced(new NodeId(node), new NodeId(leader), term);
    }

    private static ObservableEvent dropped(int node, int leader) {
        return new ObservableEvent.LeaderDropped(new NodeId(node), new NodeId(leader));
    }

    private static ObservableEvent crashed(int node) {
        return new ObservableEvent.Crashed(new NodeId(node), false);
    }

    private static ObservableEvent crashedRequesting(int node) {
        return new ObservableEvent.Crashed(new NodeId(node), true);
    }

    private static ObservableEvent restarted(int node) {
        return new ObservableEvent.Restarted(new NodeId(node));
    }

    private static ObservableEvent paused(int node) {
        return new ObservableEvent.Paused(new NodeId(node));
    }

    private static ObservableEvent resumed(int node) {
        return new ObservableEvent.Resumed(new NodeId(node));
    }

    @Nested
    class Termination {
        private final ElectionMonitors.Termination monitor = new ElectionMonitors.Termination();

        @Test
        void holds_if_a_node_leads() {
            assertThat(holds(monitor, requested(1), announced(2, 2))).isTrue();
        }

        @Test
        void is_violated_if_no_node_considers_itself_the_leader() {
            assertThat(holds(monitor, requested(1))).isFalse();
            assertThat(holds(monitor, requested(1), announced(1, 2))).isFalse();
        }

        @Test
        void holds_if_no_live_node_requested_an_election() {
            assertThat(holds(monitor)).isTrue();
            assertThat(holds(monitor, requested(1), crashedRequesting(1))).isTrue();
            assertThat(holds(monitor, requested(1), requested(2), crashedRequesting(1)))
                    .isFalse();
        }

        @Test
        void is_violated_if_the_leader_crashes_without_a_successor() {
            assertThat(holds(monitor, requested(1), announced(2, 2), dropped(2, 2), crashed(2)))
                    .isFalse();
            assertThat(holds(monitor, requested(1), announced(2, 2), dropped(2, 2), crashed(2), announced(1, 1)))
                    .isTrue();
        }
    }

    @Nested
    class Uniqueness {
        private final ElectionMonitors.Uniqueness monitor = new ElectionMonitors.Uniqueness();

        @Test
        void holds_while_one_node_leads_whatever_others_announce() {
            assertThat(holds(monitor, announced(1, 1), announced(2, 3), announced(3, 1)))
                    .isTrue();
        }

        @Test
        void holds_if_leaders_follow_one_another() {
            assertThat(holds(monitor, announced(1, 1), dropped(1, 1), announced(2, 2)))
                    .isTrue();
            assertThat(holds(monitor, announced(1, 1), dropped(1, 1), crashed(1), announced(2, 2), restarted(1)))
                    .isTrue();
            assertThat(holds(monitor, announced(1, 1), dropped(1, 1), announced(1, 1, 2)))
                    .isTrue();
        }

        @Test
        void is_violated_while_two_nodes_consider_themselves_leaders() {
            assertThat(holds(monitor, announced(1, 1), announced(2, 2))).isFalse();
        }

        @Test
        void is_violated_even_if_the_leaders_are_partitioned_or_one_is_paused() {
            assertThat(holds(monitor, announced(1, 1), new ObservableEvent.Partitioned(CUT), announced(2, 2)))
                    .isFalse();
            assertThat(holds(monitor, announced(1, 1), paused(1), announced(2, 2)))
                    .isFalse();
        }

        @Test
        void dropping_another_leader_does_not_end_a_leadership() {
            assertThat(holds(monitor, announced(3, 1), announced(1, 1), dropped(3, 1), announced(2, 2)))
                    .isFalse();
        }
    }

    @Nested
    class OneLeaderPerTerm {
        private final ElectionMonitors.OneLeaderPerTerm monitor = new ElectionMonitors.OneLeaderPerTerm();

        @Test
        void holds_if_every_term_has_one_leader() {
            assertThat(holds(monitor, announced(1, 1, 1), announced(2, 1, 1), announced(2, 2, 2), announced(1, 2, 2)))
                    .isTrue();
        }

        @Test
        void is_violated_if_a_term_has_two_leaders_even_one_after_the_other() {
            assertThat(holds(monitor, announced(1, 1, 1), dropped(1, 1), crashed(1), announced(2, 2, 1)))
                    .isFalse();
        }

        @Test
        void is_violated_by_a_late_announcement_of_another_leader_of_an_old_term() {
            assertThat(holds(monitor, announced(1, 1, 1), announced(1, 1, 2), announced(1, 1, 3), announced(2, 3, 2)))
                    .isFalse();
            assertThat(holds(monitor, announced(1, 1, 5), announced(1, 2, 9), announced(1, 3, 7), announced(2, 1, 7)))
                    .isFalse();
        }

        @Test
        void terms_may_be_announced_in_any_order() {
            assertThat(holds(
                            monitor,
                            announced(1, 1, 5),
                            announced(1, 2, 9),
                            announced(1, 3, 7),
                            announced(2, 3, 7),
                            announced(2, 1, 5)))
                    .isTrue();
            assertThat(holds(
                            monitor,
                            announced(1, 1, 5),
                            announced(2, 3, 1),
                            announced(3, 3, 1),
                            announced(1, 1, 5),
                            announced(2, 3, -2)))
                    .isTrue();
        }

        @Test
        void stays_violated() {
            assertThat(holds(monitor, announced(1, 1, 1), announced(2, 2, 1), announced(1, 1, 2)))
                    .isFalse();
        }

        @Test
        void a_term_older_than_many_others_is_checked_too() {
            var monitorState = monitor.initialState();
            for (long term = 2; term <= 50_000; term++) {
                monitorState = monitor.next(monitorState, announced(1, 1, term));
            }
            monitorState = monitor.next(monitorState, announced(1, 1, 1));
            assertThat(monitor.holds(monitorState)).isTrue();
            assertThat(monitor.holds(monitor.next(monitorState, announced(2, 2, 1))))
                    .isFalse();
        }
    }

    @Nested
    class Agreement {
        private final ElectionMonitors.Agreement monitor = new ElectionMonitors.Agreement(3);
        private final ObservableEvent[] all = {requested(1), announced(1, 3), announced(2, 3), announced(3, 3)};

        private boolean holdsAfterAll(ObservableEvent... more) {
            var events = java.util.Arrays.copyOf(all, all.length + more.length);
            System.arraycopy(more, 0, events, all.length, more.length);
            return holds(monitor, events);
        }

        @Test
        void holds_if_all_nodes_name_a_leader_that_names_itself() {
            assertThat(holdsAfterAll()).isTrue();
        }

        @Test
        void is_violated_if_a_node_names_no_leader_or_another_one() {
            assertThat(holds(monitor, requested(1), announced(1, 3), announced(3, 3)))
                    .isFalse();
            assertThat(holdsAfterAll(dropped(2, 3))).isFalse();
            assertThat(holdsAfterAll(dropped(2, 3), announced(2, 1))).isFalse();
        }

        @Test
        void is_violated_if_all_nodes_name_a_node_that_does_not_lead() {
            assertThat(holds(monitor, requested(1), announced(1, 3), announced(2, 3), crashed(3)))
                    .isFalse();
            assertThat(holdsAfterAll(dropped(3, 3), crashed(3))).isFalse();
        }

        @Test
        void a_crashed_node_need_not_agree_until_its_restart() {
            assertThat(holdsAfterAll(dropped(2, 3), crashed(2))).isTrue();
            assertThat(holdsAfterAll(dropped(2, 3), crashed(2), restarted(2))).isFalse();
            assertThat(holdsAfterAll(dropped(2, 3), crashed(2), restarted(2), announced(2, 3, 2)))
                    .isTrue();
        }

        @Test
        void all_nodes_may_change_to_another_leader() {
            assertThat(holdsAfterAll(
                            dropped(3, 3),
                            announced(3, 1),
                            dropped(1, 3),
                            announced(1, 1),
                            dropped(2, 3),
                            announced(2, 1)))
                    .isTrue();
        }

        @Test
        void a_restarted_leader_leads_only_after_a_new_announcement() {
            assertThat(holdsAfterAll(dropped(3, 3), crashed(3), restarted(3))).isFalse();
            assertThat(holdsAfterAll(dropped(3, 3), crashed(3), restarted(3), announced(3, 3, 2)))
                    .isTrue();
        }

        @Test
        void holds_if_no_live_node_requested_an_election() {
            assertThat(holds(monitor)).isTrue();
            assertThat(holds(monitor, requested(1), crashedRequesting(1))).isTrue();
        }
    }

    @Nested
    class BestWins {
        private final World world = World.of(Topology.complete(3));
        private final ElectionMonitors.BestWins monitor = new ElectionMonitors.BestWins(world);

        @Test
        void holds_if_the_best_node_leads_or_no_node() {
            assertThat(holds(monitor)).isTrue();
            assertThat(holds(monitor, announced(1, 3), announced(3, 3))).isTrue();
        }

        @Test
        void is_violated_if_a_better_node_is_up() {
            assertThat(holds(monitor, announced(2, 2))).isFalse();
            assertThat(holds(monitor, announced(2, 2), crashed(3))).isTrue();
            assertThat(holds(monitor, announced(2, 2), crashed(3), restarted(3)))
                    .isFalse();
        }

        @Test
        void a_crashed_node_does_not_count_as_better() {
            assertThat(holds(monitor, crashed(3), crashed(2), announced(1, 1))).isTrue();
            assertThat(holds(monitor, crashed(3), announced(1, 1))).isFalse();
        }

        @Test
        void the_ranking_decides_which_node_is_better() {
            var ranked = world.withRanking(new Ranking(List.of(new Ranking.Rank(new NodeId(1), 10))));
            assertThat(holds(new ElectionMonitors.BestWins(ranked), announced(1, 1)))
                    .isTrue();
            assertThat(holds(new ElectionMonitors.BestWins(ranked), announced(3, 3)))
                    .isFalse();
        }

        @Test
        void a_former_leader_does_not_count() {
            assertThat(holds(monitor, announced(2, 2), dropped(2, 2), announced(3, 3)))
                    .isTrue();
        }
    }

    @Nested
    class Stability {
        private final ElectionMonitors.Stability monitor = new ElectionMonitors.Stability();

        @Test
        void holds_if_the_leader_crashed_before_the_next_one_leads() {
            assertThat(holds(
                            monitor,
                            announced(1, 1),
                            announced(2, 1),
                            dropped(1, 1),
                            crashed(1),
                            dropped(2, 1),
                            announced(2, 2)))
                    .isTrue();
        }

        @Test
        void is_violated_for_good_if_a_live_leader_is_replaced() {
            assertThat(holds(monitor, announced(1, 1), announced(2, 2))).isFalse();
            assertThat(holds(monitor, announced(1, 1), announced(2, 2), dropped(2, 2)))
                    .isFalse();
        }

        @Test
        void naming_another_node_does_not_replace_the_leader() {
            assertThat(holds(monitor, announced(1, 1), announced(2, 3))).isTrue();
        }

        @Test
        void a_leader_may_start_a_new_term() {
            assertThat(holds(monitor, announced(1, 1, 1), dropped(1, 1), announced(1, 1, 2)))
                    .isTrue();
        }

        @Test
        void a_paused_leader_may_be_replaced() {
            assertThat(holds(monitor, announced(1, 1), paused(1), announced(2, 2)))
                    .isTrue();
            assertThat(holds(monitor, announced(1, 1), paused(1), resumed(1), announced(2, 2)))
                    .isFalse();
        }

        @Test
        void a_crash_ends_a_pause() {
            assertThat(holds(monitor, paused(1), crashed(1), restarted(1), announced(1, 1), announced(2, 2)))
                    .isFalse();
        }

        @Test
        void an_unreachable_leader_may_be_replaced() {
            var partitioned = new ObservableEvent.Partitioned(CUT);
            assertThat(holds(monitor, announced(1, 1), partitioned, announced(2, 2)))
                    .isTrue();
            assertThat(holds(monitor, announced(1, 1), partitioned, announced(3, 3)))
                    .isFalse();
            assertThat(holds(monitor, announced(1, 1), partitioned, new ObservableEvent.Healed(CUT), announced(2, 2)))
                    .isFalse();
        }

        @Test
        void a_one_way_cut_makes_a_leader_unreachable() {
            for (var oneWay : List.of(cut(1, 2, false), cut(2, 1, false))) {
                assertThat(holds(monitor, announced(1, 1), new ObservableEvent.Partitioned(oneWay), announced(2, 2)))
                        .isTrue();
            }
        }

        @Test
        void one_of_two_cuts_makes_a_leader_unreachable() {
            var oneWay = cut(1, 2, false);
            assertThat(holds(
                            monitor,
                            announced(1, 1),
                            new ObservableEvent.Partitioned(CUT),
                            new ObservableEvent.Partitioned(oneWay),
                            new ObservableEvent.Healed(oneWay),
                            announced(2, 2)))
                    .isTrue();
        }
    }
}
