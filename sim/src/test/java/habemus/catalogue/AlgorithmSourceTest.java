package habemus.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.mutex.Central;
import org.junit.jupiter.api.Test;

class AlgorithmSourceTest {

    @Test
    void a_class_of_core_comes_with_its_text() {
        assertThat(AlgorithmSource.of(Central.class))
                .startsWith("package habemus.mutex;")
                .contains("record Central(");
    }

    @Test
    void the_class_of_somebody_else_does_not() {
        assertThatThrownBy(() -> AlgorithmSource.of(String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no text of java.lang.String");
    }
}
