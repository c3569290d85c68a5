package habemus.lab.diagram.svg;

import static habemus.lab.TraceFixture.n;
import static habemus.lab.TraceFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.SampleRuns;
import habemus.lab.TraceFixture;
import habemus.lab.trace.Recording;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.Property;
import habemus.world.TraceEvent.Fate;
import habemus.world.TraceEvent.Start;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class RunSvgTest {

    private static Document parse(Recording recording) {
        try {
            var bytes = RunSvg.draw(recording).getBytes(StandardCharsets.UTF_8);
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(bytes));
        } catch (Exception malformed) {
            throw new AssertionError(malformed);
        }
    }

    private static List<Element> withClass(Document picture, String name) {
        var found = new ArrayList<Element>();
        var all = picture.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++) {
            var element = (Element) all.item(i);
            if (List.of(element.getAttribute("class").split(" ", -1)).contains(name)) {
                found.add(element);
            }
        }
        return found;
    }

    @Test
    void every_run_is_drawn_as_well_formed_xml() {
        var stories = List.of(
                SampleRuns.ricartAgrawala(3),
                SampleRuns.ricartAgrawala(12),
                SampleRuns.bullyWithCrash(),
                SampleRuns.changRobertsOnLossyNetwork(),
                TraceFixture.of(2).recording());

        assertThat(stories)
                .allSatisfy(
                        story -> assertThat(parse(story).getDocumentElement().getTagName())
                                .isEqualTo("svg"));
    }

    @Test
    void equal_runs_give_equal_pictures() {
        assertThat(RunSvg.draw(SampleRuns.bullyWithCrash())).isEqualTo(RunSvg.draw(SampleRuns.bullyWithCrash()));
    }

    @Test
    void characters_that_xml_forbids_are_escaped_or_left_out() {
        var picture = parse(
                TraceFixture.of(2).sends(1, 2, "<b> & \"c\" \u0001").receives(1).recording("a < b & c"));

        assertThat(withClass(picture, "heading"))
                .extracting(Element::getTextContent)
                .containsExactly("a < b & c");
        assertThat(withClass(picture, "arrow").get(0).getTextContent()).contains("<b> & \"c\" ");
    }

    @Test
    void each_step_has_its_event_index_and_each_message_the_indexes_of_both_steps() {
        var picture = parse(TraceFixture.of(2)
                .acquires(1)
                .sends(1, 2, request(1, 1))
                .receives(1)
                .recording());

        assertThat(withClass(picture, "step"))
                .extracting(step -> step.getAttribute("data-step"))
                .containsExactly("0", "1", "2");
        assertThat(withClass(picture, "arrow"))
                .extracting(arrow -> arrow.getAttribute("data-from") + "-" + arrow.getAttribute("data-to"))
                .containsExactly("1-2");
    }

    @Test
    void an_arrow_runs_from_sender_to_receiver_and_to_the_right() {
        var arrow = withClass(
                        parse(TraceFixture.of(2)
                                .sends(1, 2, request(1, 1))
                                .at(100)
                                .receives(1)
                                .recording()),
                        "sent")
                .get(0);

        assertThat(number(arrow, "x1")).isLessThan(number(arrow, "x2"));
        assertThat(number(arrow, "y1")).isLessThan(number(arrow, "y2"));
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }

    @Test
    void two_holders_at_once_are_marked_on_lanes_and_rows() {
        var picture = parse(TraceFixture.of(2)
                .enters(1, 5)
                .at(9)
                .enters(2, 6)
                .violates(Property.MUTUAL_EXCLUSION)
                .at(20)
                .releases(1)
                .recording());

        assertThat(withClass(picture, "lanes")
                        .get(0)
                        .getElementsByTagName("rect")
                        .getLength())
                .isEqualTo(4);
        assertThat(withClass(picture, "overlap-band")).hasSize(1);
        assertThat(withClass(picture, "overlap-label"))
                .extracting(Element::getTextContent)
                .containsExactly("{n1 n2} hold the lock at once");
        assertThat(withClass(picture, "violation-label").get(0).getTextContent())
                .contains("mutual-exclusion violated");
    }

    @Test
    void each_fault_has_its_symbol() {
        var cut = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(2)), true);
        var picture = parse(TraceFixture.of(3)
                .sends(1, 2, request(1, 1))
                .endsAs(1, Fate.LOST)
                .at(5)
                .injects(cut)
                .injects(new Fault.Pause(n(3)))
                .at(10)
                .injects(new Fault.Crash(n(2)))
                .at(20)
                .starts(2, Start.WITH_AMNESIA)
                .injects(new Fault.Heal())
                .recording());

        assertThat(withClass(picture, "crashes")
                        .get(0)
                        .getElementsByTagName("path")
                        .getLength())
                .isEqualTo(1);
        assertThat(withClass(picture, "steps")
                        .get(0)
                        .getElementsByTagName("path")
                        .getLength())
                .isEqualTo(1);
        assertThat(withClass(picture, "cut")).hasSize(2); // one in the legend
        assertThat(withClass(picture, "fail")).hasSize(2); // the message, and the legend
        assertThat(withClass(picture, "fault-label"))
                .extracting(words -> words.getFirstChild().getNextSibling().getTextContent())
                .containsExactly("cut {n1} | {n2}", "everything healed");
    }

    @Test
    void labels_are_left_out_where_there_are_too_many_messages() {
        assertThat(withClass(parse(SampleRuns.ricartAgrawala(3)), "label")).isNotEmpty();
        assertThat(withClass(parse(SampleRuns.ricartAgrawala(9)), "label")).isEmpty();
    }

    @Test
    void every_step_of_a_long_run_is_drawn_and_none_covers_another_of_its_node() {
        var recording = SampleRuns.ricartAgrawala(32);
        var svg = RunSvg.draw(recording);
        assertThat(svg.length()).isLessThan(3_000_000);
        var steps = withClass(parse(recording), "step");
        assertThat(steps).hasSizeGreaterThan(1_900);
        var last = new HashMap<String, Double>();
        for (Element step : steps) {
            double x = Double.parseDouble(
                    ((Element) step.getElementsByTagName("circle").item(0)).getAttribute("cx"));
            var before = last.put(step.getAttribute("data-node"), x);
            assertThat(x - (before == null ? 0 : before)).isGreaterThan(8);
        }
    }

    @Test
    void a_very_long_run_is_aggregated_but_faults_are_drawn() {
        var traceFixture = TraceFixture.of(2);
        for (int i = 0; i < 4_000; i++) {
            traceFixture.at(i).acquires(1);
        }
        var recording = traceFixture.at(5_000).injects(new Fault.Crash(n(2))).recording();
        var picture = parse(recording);
        assertThat(withClass(picture, "step")).isEmpty();
        assertThat(withClass(picture, "cross")).hasSize(2); // one in the legend
        assertThat(withClass(picture, "activity")).hasSizeGreaterThan(100);
        assertThat(RunSvg.draw(recording)).contains(" steps of n1 between ", "MESSAGES BY SENDER AND RECEIVER");
    }
}
