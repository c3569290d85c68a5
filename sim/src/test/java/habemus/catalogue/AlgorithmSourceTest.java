package habemus.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.mutex.Central;
import org.junit.jupiter.api.Test;

class AlgorithmSourceTest {

    @Test
    void a_class_of_this_project_has_a_source_text() {
        assertThat(AlgorithmSource.of(Central.class))
                .startsWith("package habemus.mutex;")
                .contains("record Central(");
    }

    @Test
    void a_class_of_another_project_has_no_source_text() {
        assertThatThrownBy(() -> AlgorithmSource.of(String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no source text of class java.lang.String");
    }
}
