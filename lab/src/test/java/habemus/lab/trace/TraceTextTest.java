package habemus.lab.trace;

import static habemus.lab.TraceFixture.n;
import static habemus.lab.TraceFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.SampleRuns;
import habemus.lab.TraceFixture;
import habemus.lab.TraceFixture.Timer;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import habemus.protocol.Stamp;
import habemus.world.Fault;
import habemus.world.ObservableEvent;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.TraceEvent.Fate;
import habemus.world.TraceEvent.Start;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceTextTest {

    private static List<String> text(TraceFixture traceFixture) {
        return traceFixture.events().stream()
                .flatMap(event -> TraceText.of(event).stream())
                .toList();
    }

    @Test
    void a_step_shows_event_phase_and_effects() {
        var waiting = new TraceFixture.Phase.Waiting(new Stamp(1, n(2)), NodeSet.of(n(1), n(3)));
        var event = new TraceEvent.Step(
                1_250,
                n(2),
                new Event.Received<>(n(1), request(1, 1)),
                4,
                new TraceFixture.State(n(2), 1, waiting),
                List.of(new Effect.Send<>(n(1), new TraceFixture.Reply(7)), new Effect.Grant<>(5)),
                List.of());

        assertThat(TraceText.of(event))
                .containsExactly("     1.250 ms  n2     Request(1@n1) from n1 → Waiting(mine=1@n2 silent={n1 n3})"
                        + "   sends Reply(7) to n1, GRANTED fence 5");
    }

    @Test
    void a_state_without_a_phase_is_shown_completely() {
        var event = new TraceEvent.Step(0, n(1), new Event.Acquire<>(), 0, new Stamp(3, n(1)), List.of(), List.of());

        assertThat(TraceText.of(event)).containsExactly("     0.000 ms  n1     acquire → 3@n1");
    }

    @Test
    void a_first_start_that_sends_nothing_has_no_line() {
        assertThat(text(TraceFixture.of(1).starts(1, Start.FIRST))).isEmpty();
    }

    @Test
    void a_restart_shows_whether_the_node_kept_its_state() {
        assertThat(text(TraceFixture.of(1).starts(1, Start.WITH_MEMORY).starts(1, Start.WITH_AMNESIA)))
                .containsExactly(
                        "     0.000 ms  n1     restarted → Idle",
                        "     0.000 ms  n1     restarted with amnesia → Idle");
    }

    @Test
    void an_observable_event_has_a_line_only_if_no_other_line_shows_it() {
        assertThat(text(TraceFixture.of(2)
                        .adds(new TraceEvent.Observed(0, new ObservableEvent.Entered(n(1), 5)))
                        .adds(new TraceEvent.Observed(0, new ObservableEvent.Requested(n(1), NodeSet.NONE)))
                        .adds(new TraceEvent.Observed(0, new ObservableEvent.Requested(n(2), NodeSet.of(n(1)))))))
                .containsExactly("     0.000 ms  n2     requested after {n1}");
    }

    @Test
    void a_violation_is_marked_with_exclamation_marks() {
        assertThat(text(TraceFixture.of(2).violates(Property.MUTUAL_EXCLUSION)))
                .containsExactly("     0.000 ms  !!     mutual-exclusion violated: at most one node holds the lock");
    }

    @Test
    void the_fate_of_a_message_is_shown() {
        var traceFixture = TraceFixture.of(2).sends(1, 2, request(1, 1));
        for (Fate fate : Fate.values()) {
            traceFixture.endsAs(1, fate);
        }

        assertThat(text(traceFixture))
                .contains(
                        "     0.000 ms  x      Request(1@n1) from n1 to n2 is lost",
                        "     0.000 ms  x      Request(1@n1) from n1 to n2 is dropped by a partition",
                        "     0.000 ms  x      Request(1@n1) from n1 to n2 is dropped: n2 is down",
                        "     0.000 ms  x      Request(1@n1) from n1 to n2 is duplicated");
    }

    @Test
    void each_fault_has_a_description() {
        var cut = new Fault.Cut(NodeSet.of(n(1), n(2)), NodeSet.of(n(3)), true);
        var oneWay = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(3)), false);

        assertThat(List.of(
                                new Fault.Crash(n(5)),
                                new Fault.Restart(n(2), true),
                                new Fault.Pause(n(2)),
                                cut,
                                oneWay,
                                new Fault.HealCut(cut),
                                new Fault.Slow(n(1), n(2), 10),
                                new Fault.Slow(n(1), n(2), 2.5),
                                new Fault.Slow(n(1), n(2), 1),
                                new Fault.WrongSuspicion(n(1), n(3)),
                                new Fault.Heal())
                        .stream()
                        .map(TraceWording::describe))
                .containsExactly(
                        "n5 crashes",
                        "n2 restarts with amnesia",
                        "n2 pauses",
                        "cut {n1 n2} | {n3}",
                        "cut {n1} → {n3}",
                        "healed {n1 n2} | {n3}",
                        "n1 → n2 slower ×10",
                        "n1 → n2 slower ×2.5",
                        "n1 → n2 at normal speed",
                        "n1 wrongly suspects n3",
                        "everything healed");
    }

    @Test
    void a_leader_leads_and_a_follower_names_its_leader() {
        assertThat(TraceWording.describe(n(1), new Effect.Elected<>(n(1), 3))).isEqualTo("LEADS term 3");
        assertThat(TraceWording.describe(n(2), new Effect.Elected<>(n(1), 3))).isEqualTo("follows n1 term 3");
    }

    @Test
    void a_timer_is_shown_with_its_bounds() {
        var setTimer = new Effect.SetTimer<>(Timer.OVERDUE, Duration.ofMillis(150), Duration.ofMillis(300));

        assertThat(TraceWording.describe(n(1), setTimer)).isEqualTo("sets OVERDUE to 150..300 ms");
    }

    @Test
    void a_label_has_no_brackets_and_no_zeros() {
        assertThat(TraceWording.label(request(1, 1))).isEqualTo("Request 1@n1");
        assertThat(TraceWording.label(new TraceFixture.Reply(0))).isEqualTo("Reply");
    }

    @Test
    void the_columns_of_a_run_are_aligned() {
        for (TraceEvent event : SampleRuns.bullyWithCrash().events()) {
            assertThat(TraceText.of(event)).allSatisfy(row -> {
                assertThat(row.indexOf(" ms  ")).isEqualTo(10);
                assertThat(row.substring(20, 22)).isEqualTo("  ");
                assertThat(row.charAt(22)).isNotEqualTo(' ');
            });
        }
    }
}
