package habemus.lab.diagram.text;

import static habemus.lab.TraceFixture.n;
import static habemus.lab.TraceFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.SampleRuns;
import habemus.lab.TraceFixture;
import habemus.world.Fault;
import habemus.world.Property;
import habemus.world.TraceEvent.Fate;
import org.junit.jupiter.api.Test;

class MermaidTest {

    @Test
    void messages_appear_at_their_receipt_and_holders_are_active() {
        var diagram = Mermaid.draw(TraceFixture.of(2)
                .sends(1, 2, request(1, 1))
                .sends(2, 1, new TraceFixture.Reply(0))
                .receives(2)
                .receives(1)
                .enters(1, 5)
                .releases(1)
                .recording());

        assertThat(diagram).isEqualTo("""
                        sequenceDiagram
                            title a run
                            participant n1
                            participant n2
                            Note over n1: OVERDUE timeout
                            Note over n2: OVERDUE timeout
                            n2->>n1: Reply
                            n1->>n2: Request 1@n1
                            Note over n1: OVERDUE timeout, GRANTED fence 5
                            activate n1
                            Note over n1: release
                            deactivate n1
                        """);
    }

    @Test
    void a_lost_message_ends_in_a_cross_and_a_duplicate_is_dashed() {
        var diagram = Mermaid.draw(TraceFixture.of(2)
                .sends(1, 2, request(1, 1))
                .endsAs(1, Fate.LOST)
                .sends(1, 2, request(2, 1))
                .endsAs(2, Fate.DUPLICATED)
                .receives(2)
                .receives(2)
                .sends(1, 2, request(3, 1))
                .recording());

        assertThat(diagram)
                .contains(
                        "n1-xn2: Request 1@n1 (lost)\n",
                        "n1->>n2: Request 2@n1\n",
                        "n1-->>n2: Request 2@n1 (duplicate)\n",
                        "n1--)n2: Request 3@n1 (in flight)\n");
    }

    @Test
    void faults_and_violations_are_notes_over_all_nodes() {
        var diagram = Mermaid.draw(TraceFixture.of(3)
                .injects(new Fault.Crash(n(2)))
                .violates(Property.UNIQUENESS)
                .recording());

        assertThat(diagram)
                .contains(
                        "Note over n1,n3: n2 crashes\n",
                        "Note over n1,n3: !! uniqueness violated: at most one live node considers itself the leader\n");
    }

    @Test
    void characters_with_a_meaning_in_mermaid_are_escaped() {
        assertThat(Mermaid.draw(TraceFixture.of(1).recording("a;b #1 <c>\nd")))
                .contains("title a#59;b #35;1 #lt;c#gt; d\n");
    }

    @Test
    void every_activation_ends_at_most_once() {
        var diagram = Mermaid.draw(SampleRuns.bullyWithCrash());
        int active = 0;
        for (String line : diagram.lines().map(String::strip).toList()) {
            active += line.startsWith("activate n5") ? 1 : line.startsWith("deactivate n5") ? -1 : 0;
            assertThat(active).isBetween(0, 1);
        }
    }
}
