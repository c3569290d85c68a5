package habemus.lab.diagram.svg;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChartTest {

    @Test
    void ticks_are_round_and_cover_all_numbers() {
        assertThat(AxisScale.covering(List.of(3.0, 97.0), false, 0, 100).ticks())
                .extracting(AxisScale.Tick::label)
                .containsExactly("0", "20", "40", "60", "80", "100");
        assertThat(AxisScale.covering(List.of(0.12, 0.31), false, 0, 100).ticks())
                .extracting(AxisScale.Tick::label)
                .containsExactly("0.1", "0.15", "0.2", "0.25", "0.3", "0.35");
        assertThat(AxisScale.covering(List.of(-59.0, -4.0), true, 0, 100).ticks())
                .extracting(AxisScale.Tick::label)
                .containsExactly("10⁻⁶⁰", "10⁻⁴⁰", "10⁻²⁰", "1");
        assertThat(AxisScale.covering(List.of(0.6, 1.9), true, 0, 100).ticks())
                .extracting(AxisScale.Tick::label)
                .containsExactly("2", "5", "10", "20", "50", "100");
        assertThat(AxisScale.covering(List.of(1.0, 5.0), true, 0, 100).ticks())
                .extracting(AxisScale.Tick::label)
                .containsExactly("10", "100", "1000", "10000", "10⁵");
    }

    @Test
    void a_single_number_has_a_scale() {
        var axisScale = AxisScale.covering(List.of(5.0), false, 0, 100);
        assertThat(axisScale.position(5)).isBetween(0.0, 100.0);
    }

    @Test
    void a_chart_has_title_units_and_names() {
        var svg = new Chart("Messages", new Chart.Axis("nodes", false), new Chart.Axis("messages", false))
                .curve("theory", List.of(new Chart.Point(1, 2), new Chart.Point(10, 20)))
                .curve("measured <&>", List.of(), List.of(new Chart.Point(5, 11)))
                .mark(new Chart.Point(5, 11), "here")
                .draw();
        assertThat(svg)
                .contains("<title>Messages</title>", ">nodes<", ">theory<", ">measured &lt;&amp;&gt;<", ">here<")
                .contains("<path class=\"curve\"");
    }
}
