package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ElectionMonitorsTest {

    private static final Fault.Cut APART = cut(1, 2, true);

    /** Whether the property still holds after all of this. */
    private static <H> boolean holds(PropertyMonitor<H> propertyMonitor, ObservableEvent... seen) {
        var mind = propertyMonitor.initialState();
        for (ObservableEvent one : seen) {
            mind = propertyMonitor.next(mind, one);
        }
        return propertyMonitor.holds(mind);
    }

    private static Fault.Cut cut(int from, int to, boolean bothWays) {
        return new Fault.Cut(NodeSet.of(new NodeId(from)), NodeSet.of(new NodeId(to)), bothWays);
    }

    private static ObservableEvent asked(int node) {
        return new ObservableEvent.Requested(new NodeId(node), NodeSet.NONE);
    }

    private static ObservableEvent named(int node, int leader) {
        return named(node, leader, 1);
    }

    private static ObservableEvent named(int node, int leader, long term) {
        return new ObservableEvent.LeaderAnnounced(new NodeId(node), new NodeId(leader), term);
    }

    private static ObservableEvent disowned(int node, int leader) {
        return new ObservableEvent.LeaderDropped(new NodeId(node), new NodeId(leader));
    }

    private static ObservableEvent crashed(int node) {
        return new ObservableEvent.Crashed(new NodeId(node), false);
    }

    private static ObservableEvent crashedAsking(int node) {
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
        private final ElectionMonitors.Termination judge = new ElectionMonitors.Termination();

        @Test
        void holds_if_somebody_leads() {
            assertThat(holds(judge, asked(1), named(2, 2))).isTrue();
        }

        @Test
        void is_violated_if_nobody_believes_to_lead_itself() {
            assertThat(holds(judge, asked(1))).isFalse();
            assertThat(holds(judge, asked(1), named(1, 2))).isFalse();
        }

        @Test
        void holds_if_nobody_who_lives_asked_for_an_election() {
            assertThat(holds(judge)).isTrue();
            assertThat(holds(judge, asked(1), crashedAsking(1))).isTrue();
            assertThat(holds(judge, asked(1), asked(2), crashedAsking(1))).isFalse();
        }

        @Test
        void is_violated_if_the_leader_goes_and_nobody_follows() {
            assertThat(holds(judge, asked(1), named(2, 2), disowned(2, 2), crashed(2)))
                    .isFalse();
            assertThat(holds(judge, asked(1), named(2, 2), disowned(2, 2), crashed(2), named(1, 1)))
                    .isTrue();
        }
    }

    @Nested
    class Uniqueness {
        private final ElectionMonitors.Uniqueness judge = new ElectionMonitors.Uniqueness();

        @Test
        void holds_while_one_leads_whatever_others_believe() {
            assertThat(holds(judge, named(1, 1), named(2, 3), named(3, 1))).isTrue();
        }

        @Test
        void holds_if_one_leads_after_the_other() {
            assertThat(holds(judge, named(1, 1), disowned(1, 1), named(2, 2))).isTrue();
            assertThat(holds(judge, named(1, 1), disowned(1, 1), crashed(1), named(2, 2), restarted(1)))
                    .isTrue();
            assertThat(holds(judge, named(1, 1), disowned(1, 1), named(1, 1, 2)))
                    .isTrue();
        }

        @Test
        void is_violated_while_two_believe_to_lead() {
            assertThat(holds(judge, named(1, 1), named(2, 2))).isFalse();
        }

        @Test
        void is_violated_even_if_they_cannot_reach_each_other_or_one_stands_still() {
            assertThat(holds(judge, named(1, 1), new ObservableEvent.Partitioned(APART), named(2, 2)))
                    .isFalse();
            assertThat(holds(judge, named(1, 1), paused(1), named(2, 2))).isFalse();
        }

        @Test
        void who_disowns_another_still_leads() {
            assertThat(holds(judge, named(3, 1), named(1, 1), disowned(3, 1), named(2, 2)))
                    .isFalse();
        }
    }

    @Nested
    class OneLeaderPerTerm {
        private final ElectionMonitors.OneLeaderPerTerm judge = new ElectionMonitors.OneLeaderPerTerm();

        @Test
        void holds_if_every_term_has_its_leader() {
            assertThat(holds(judge, named(1, 1, 1), named(2, 1, 1), named(2, 2, 2), named(1, 2, 2)))
                    .isTrue();
        }

        @Test
        void is_violated_if_a_term_has_two_even_one_after_the_other() {
            assertThat(holds(judge, named(1, 1, 1), disowned(1, 1), crashed(1), named(2, 2, 1)))
                    .isFalse();
        }

        @Test
        void is_violated_if_news_of_an_old_term_differ() {
            assertThat(holds(judge, named(1, 1, 1), named(1, 1, 2), named(1, 1, 3), named(2, 3, 2)))
                    .isFalse();
            assertThat(holds(judge, named(1, 1, 5), named(1, 2, 9), named(1, 3, 7), named(2, 1, 7)))
                    .isFalse();
        }

        @Test
        void terms_may_come_in_any_order() {
            assertThat(holds(judge, named(1, 1, 5), named(1, 2, 9), named(1, 3, 7), named(2, 3, 7), named(2, 1, 5)))
                    .isTrue();
            assertThat(holds(judge, named(1, 1, 5), named(2, 3, 1), named(3, 3, 1), named(1, 1, 5), named(2, 3, -2)))
                    .isTrue();
        }

        @Test
        void stays_violated() {
            assertThat(holds(judge, named(1, 1, 1), named(2, 2, 1), named(1, 1, 2)))
                    .isFalse();
        }

        @Test
        void news_of_a_term_before_many_others_are_judged_too() {
            var monitorState = judge.initialState();
            for (long term = 2; term <= 50_000; term++) {
                monitorState = judge.next(monitorState, named(1, 1, term));
            }
            monitorState = judge.next(monitorState, named(1, 1, 1));
            assertThat(judge.holds(monitorState)).isTrue();
            assertThat(judge.holds(judge.next(monitorState, named(2, 2, 1)))).isFalse();
        }
    }

    @Nested
    class Agreement {
        private final ElectionMonitors.Agreement judge = new ElectionMonitors.Agreement(3);
        private final ObservableEvent[] all = {asked(1), named(1, 3), named(2, 3), named(3, 3)};

        private boolean holdsAfterAll(ObservableEvent... more) {
            var seen = java.util.Arrays.copyOf(all, all.length + more.length);
            System.arraycopy(more, 0, seen, all.length, more.length);
            return holds(judge, seen);
        }

        @Test
        void holds_if_all_name_one_that_names_itself() {
            assertThat(holdsAfterAll()).isTrue();
        }

        @Test
        void is_violated_if_one_names_nobody_or_another() {
            assertThat(holds(judge, asked(1), named(1, 3), named(3, 3))).isFalse();
            assertThat(holdsAfterAll(disowned(2, 3))).isFalse();
            assertThat(holdsAfterAll(disowned(2, 3), named(2, 1))).isFalse();
        }

        @Test
        void is_violated_if_all_name_one_that_does_not_lead() {
            assertThat(holds(judge, asked(1), named(1, 3), named(2, 3), crashed(3)))
                    .isFalse();
            assertThat(holdsAfterAll(disowned(3, 3), crashed(3))).isFalse();
        }

        @Test
        void one_that_is_down_need_not_agree_until_it_is_back() {
            assertThat(holdsAfterAll(disowned(2, 3), crashed(2))).isTrue();
            assertThat(holdsAfterAll(disowned(2, 3), crashed(2), restarted(2))).isFalse();
            assertThat(holdsAfterAll(disowned(2, 3), crashed(2), restarted(2), named(2, 3, 2)))
                    .isTrue();
        }

        @Test
        void all_may_change_their_minds() {
            assertThat(holdsAfterAll(
                            disowned(3, 3), named(3, 1), disowned(1, 3), named(1, 1), disowned(2, 3), named(2, 1)))
                    .isTrue();
        }

        @Test
        void a_leader_that_came_back_is_led_again_only_once_it_says_so() {
            assertThat(holdsAfterAll(disowned(3, 3), crashed(3), restarted(3))).isFalse();
            assertThat(holdsAfterAll(disowned(3, 3), crashed(3), restarted(3), named(3, 3, 2)))
                    .isTrue();
        }

        @Test
        void holds_if_nobody_who_lives_asked_for_an_election() {
            assertThat(holds(judge)).isTrue();
            assertThat(holds(judge, asked(1), crashedAsking(1))).isTrue();
        }
    }

    @Nested
    class BestWins {
        private final World world = World.of(Topology.complete(3));
        private final ElectionMonitors.BestWins judge = new ElectionMonitors.BestWins(world);

        @Test
        void holds_if_the_best_leads_or_nobody() {
            assertThat(holds(judge)).isTrue();
            assertThat(holds(judge, named(1, 3), named(3, 3))).isTrue();
        }

        @Test
        void is_violated_if_a_better_one_is_up() {
            assertThat(holds(judge, named(2, 2))).isFalse();
            assertThat(holds(judge, named(2, 2), crashed(3))).isTrue();
            assertThat(holds(judge, named(2, 2), crashed(3), restarted(3))).isFalse();
        }

        @Test
        void one_that_is_down_does_not_count_among_the_better() {
            assertThat(holds(judge, crashed(3), crashed(2), named(1, 1))).isTrue();
            assertThat(holds(judge, crashed(3), named(1, 1))).isFalse();
        }

        @Test
        void better_is_what_the_ranks_say() {
            var ranked = world.withRanking(new Ranking(List.of(new Ranking.Rank(new NodeId(1), 10))));
            assertThat(holds(new ElectionMonitors.BestWins(ranked), named(1, 1)))
                    .isTrue();
            assertThat(holds(new ElectionMonitors.BestWins(ranked), named(3, 3)))
                    .isFalse();
        }

        @Test
        void who_no_longer_leads_is_not_judged() {
            assertThat(holds(judge, named(2, 2), disowned(2, 2), named(3, 3))).isTrue();
        }
    }

    @Nested
    class Stability {
        private final ElectionMonitors.Stability judge = new ElectionMonitors.Stability();

        @Test
        void holds_if_the_leader_was_gone_before_the_next_came() {
            assertThat(holds(judge, named(1, 1), named(2, 1), disowned(1, 1), crashed(1), disowned(2, 1), named(2, 2)))
                    .isTrue();
        }

        @Test
        void is_violated_if_another_takes_over_from_a_live_leader_and_stays_so() {
            assertThat(holds(judge, named(1, 1), named(2, 2))).isFalse();
            assertThat(holds(judge, named(1, 1), named(2, 2), disowned(2, 2))).isFalse();
        }

        @Test
        void who_only_names_another_takes_nothing_over() {
            assertThat(holds(judge, named(1, 1), named(2, 3))).isTrue();
        }

        @Test
        void a_leader_may_begin_a_new_term() {
            assertThat(holds(judge, named(1, 1, 1), disowned(1, 1), named(1, 1, 2)))
                    .isTrue();
        }

        @Test
        void one_that_stands_still_may_be_replaced() {
            assertThat(holds(judge, named(1, 1), paused(1), named(2, 2))).isTrue();
            assertThat(holds(judge, named(1, 1), paused(1), resumed(1), named(2, 2)))
                    .isFalse();
        }

        @Test
        void one_that_came_back_from_a_crash_no_longer_stands_still() {
            assertThat(holds(judge, paused(1), crashed(1), restarted(1), named(1, 1), named(2, 2)))
                    .isFalse();
        }

        @Test
        void one_that_cannot_be_reached_may_be_replaced() {
            var partitioned = new ObservableEvent.Partitioned(APART);
            assertThat(holds(judge, named(1, 1), partitioned, named(2, 2))).isTrue();
            assertThat(holds(judge, named(1, 1), partitioned, named(3, 3))).isFalse();
            assertThat(holds(judge, named(1, 1), partitioned, new ObservableEvent.Healed(APART), named(2, 2)))
                    .isFalse();
        }

        @Test
        void one_way_is_enough_to_be_out_of_reach() {
            for (var oneWay : List.of(cut(1, 2, false), cut(2, 1, false))) {
                assertThat(holds(judge, named(1, 1), new ObservableEvent.Partitioned(oneWay), named(2, 2)))
                        .isTrue();
            }
        }

        @Test
        void of_two_cuts_one_is_enough() {
            var oneWay = cut(1, 2, false);
            assertThat(holds(
                            judge,
                            named(1, 1),
                            new ObservableEvent.Partitioned(APART),
                            new ObservableEvent.Partitioned(oneWay),
                            new ObservableEvent.Healed(oneWay),
                            named(2, 2)))
                    .isTrue();
        }
    }
}
