package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.mutex.RicartAgrawala;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Stamp;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValueFormatterTest {

    private record Empty() {}

    private record One(Object component) {}

    private record Two(int count, Object component) {}

    private record WithToString(int number) {
        @Override
        public String toString() {
            return "number " + number;
        }
    }

    private enum Colour {
        RED
    }

    @Test
    void a_record_without_components_is_printed_as_its_name() {
        assertThat(ValueFormatter.format(new Empty())).isEqualTo("Empty");
    }

    @Test
    void a_single_component_is_printed_without_its_name() {
        assertThat(ValueFormatter.format(new One(41))).isEqualTo("One(41)");
        assertThat(ValueFormatter.format(new RicartAgrawala.Message.Request(new Stamp(41, new NodeId(1)))))
                .isEqualTo("Request(41@n1)");
    }

    @Test
    void several_components_are_printed_with_their_names() {
        assertThat(ValueFormatter.format(new Two(3, "a"))).isEqualTo("Two(count=3 component=a)");
    }

    @Test
    void a_record_with_its_own_to_string_uses_it() {
        assertThat(ValueFormatter.format(new One(new WithToString(7)))).isEqualTo("One(number 7)");
    }

    @Test
    void nested_components_are_formatted_too() {
        var value = new Two(1, List.of(new One(new Two(2, Colour.RED)), new Empty()));
        assertThat(ValueFormatter.format(value))
                .isEqualTo("Two(count=1 component=[One(Two(count=2 component=RED)) Empty])");
        assertThat(ValueFormatter.format(List.of())).isEqualTo("[]");
    }

    @Test
    void nodes_and_node_sets_use_their_own_format() {
        var nodes = NodeSet.of(new NodeId(3), new NodeId(1));
        assertThat(ValueFormatter.format(new Two(1, nodes))).isEqualTo("Two(count=1 component={n1 n3})");
        assertThat(ValueFormatter.format(new Event.Received<>(new NodeId(2), new Empty())))
                .isEqualTo("Received(from=n2 message=Empty)");
    }

    @Test
    void the_type_name_has_no_components_and_no_outer_class() {
        assertThat(ValueFormatter.typeName(new Two(1, 2))).isEqualTo("Two");
    }
}
