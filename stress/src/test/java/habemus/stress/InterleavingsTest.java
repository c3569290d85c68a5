package habemus.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Failures of Lincheck itself. */
class InterleavingsTest {

    @Test
    void a_failure_that_lincheck_cannot_describe_is_explored_again() {
        var attempts = new AtomicInteger();
        assertThat(Interleavings.failure(() -> {
                    if (attempts.incrementAndGet() < 3) {
                        throw new IndexOutOfBoundsException("Index 3 out of bounds for length 3");
                    }
                }))
                .isEmpty();
        assertThat(attempts).hasValue(3);
    }

    @Test
    void a_failure_that_is_never_described_is_no_success() {
        assertThatThrownBy(() -> Interleavings.failure(() -> {
                    throw new IndexOutOfBoundsException("Index 3 out of bounds for length 3");
                }))
                .hasMessageContaining("cannot describe");
    }
}
