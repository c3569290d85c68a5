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
    void what_xml_cannot_hold_is_escaped_or_left_out() {
        var picture = parse(
                TraceFixture.of(2).sends(1, 2, "<b> & \"c\" \u0001").receives(1).recording("a < b & c"));

        assertThat(withClass(picture, "heading"))
                .extracting(Element::getTextContent)
                .containsExactly("a < b & c");
        assertThat(withClass(picture, "arrow").get(0).getTextContent()).contains("<b> & \"c\" ");
    }

    @Test
    void every_step_is_a_dot_that_knows_its_line_and_every_message_its_two_steps() {
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
    void two_inside_at_once_are_red_on_the_lanes_and_in_the_rows_and_across_them() {
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
        assertThat(withClass(picture, "clash-band")).hasSize(1);
        assertThat(withClass(picture, "clash-words"))
                .extracting(Element::getTextContent)
                .containsExactly("{n1 n2} are inside at once");
        assertThat(withClass(picture, "violation-words").get(0).getTextContent())
                .contains("mutual-exclusion violated");
    }

    @Test
    void troubles_have_their_signs() {
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
        assertThat(withClass(picture, "fault-words"))
                .extracting(words -> words.getFirstChild().getNextSibling().getTextContent())
                .containsExactly("cut {n1} | {n2}", "everything healed");
    }

    @Test
    void labels_are_left_out_where_there_are_too_many_messages() {
        assertThat(withClass(parse(SampleRuns.ricartAgrawala(3)), "label")).isNotEmpty();
        assertThat(withClass(parse(SampleRuns.ricartAgrawala(9)), "label")).isEmpty();
    }

    @Test
    void every_step_of_a_long_run_is_drawn_and_none_over_another_of_its_node() {
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
    void a_run_that_is_too_long_for_that_is_counted_but_what_matters_is_drawn() {
        var traceFixture = TraceFixture.of(2);
        for (int i = 0; i < 4_000; i++) {
            traceFixture.at(i).acquires(1);
        }
        var recording = traceFixture.at(5_000).injects(new Fault.Crash(n(2))).recording();
        var picture = parse(recording);
        assertThat(withClass(picture, "step")).isEmpty();
        assertThat(withClass(picture, "cross")).hasSize(2); // one in the legend
        assertThat(withClass(picture, "busy")).hasSizeGreaterThan(100);
        assertThat(RunSvg.draw(recording)).contains(" steps of n1 between ", "WHO SENT HOW MANY TO WHOM");
    }
}
