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

    private record Nothing() {}

    private record One(Object part) {}

    private record Two(int count, Object part) {}

    private record Speaking(int number) {
        @Override
        public String toString() {
            return "number " + number;
        }
    }

    private enum Colour {
        RED
    }

    @Test
    void a_record_without_parts_is_its_name() {
        assertThat(ValueFormatter.format(new Nothing())).isEqualTo("Nothing");
    }

    @Test
    void the_only_part_of_a_record_needs_no_name() {
        assertThat(ValueFormatter.format(new One(41))).isEqualTo("One(41)");
        assertThat(ValueFormatter.format(new RicartAgrawala.Message.Request(new Stamp(41, new NodeId(1)))))
                .isEqualTo("Request(41@n1)");
    }

    @Test
    void several_parts_have_their_names() {
        assertThat(ValueFormatter.format(new Two(3, "a"))).isEqualTo("Two(count=3 part=a)");
    }

    @Test
    void a_record_that_has_words_of_its_own_uses_them() {
        assertThat(ValueFormatter.format(new One(new Speaking(7)))).isEqualTo("One(number 7)");
    }

    @Test
    void parts_are_worded_too_however_deep() {
        var value = new Two(1, List.of(new One(new Two(2, Colour.RED)), new Nothing()));
        assertThat(ValueFormatter.format(value)).isEqualTo("Two(count=1 part=[One(Two(count=2 part=RED)) Nothing])");
        assertThat(ValueFormatter.format(List.of())).isEqualTo("[]");
    }

    @Test
    void nodes_and_sets_of_nodes_are_as_everywhere() {
        var nodes = NodeSet.of(new NodeId(3), new NodeId(1));
        assertThat(ValueFormatter.format(new Two(1, nodes))).isEqualTo("Two(count=1 part={n1 n3})");
        assertThat(ValueFormatter.format(new Event.Received<>(new NodeId(2), new Nothing())))
                .isEqualTo("Received(from=n2 message=Nothing)");
    }

    @Test
    void the_bare_name_is_without_parts_and_owners() {
        assertThat(ValueFormatter.typeName(new Two(1, 2))).isEqualTo("Two");
    }
}
