package habemus.cli.serve;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeserializationFilterTest {

    @Test
    void no_object_is_deserialized() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(new ArrayList<>(List.of("gadget")));
        }
        DeserializationFilter.install();
        DeserializationFilter.install(); // as the second command of one JVM does
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThatThrownBy(in::readObject)
                    .isInstanceOf(InvalidClassException.class)
                    .hasMessageContaining("REJECTED");
        }
    }
}
