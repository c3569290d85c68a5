package habemus.stress;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.course.threads.ObjectLayout;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.vm.VM;

class CacheLinesTest {

    private static ObjectLayout layout(Class<?> type) {
        return CacheLines.layout(type.getSimpleName(), type);
    }

    @Test
    void two_counters_side_by_side_share_a_line() {
        assertThat(layout(SharingBenchmark.SameLine.class).shareLine("first", "second"))
                .isTrue();
    }

    @Test
    void seven_numbers_between_them_separate_two_counters() {
        assertThat(layout(SharingBenchmark.Padded.class).shareLine("first", "second"))
                .isFalse();
    }

    @Test
    void the_jvm_separates_contended_counters_by_two_lines() {
        var layout = layout(SharingBenchmark.ContendedPair.class);
        assertThat(layout.shareLine("first", "second")).isFalse();
        assertThat(layout.field("second").offset() - layout.field("first").offset())
                .isGreaterThan(ObjectLayout.LINE_BYTES);
    }

    @Test
    void an_aligned_object_starts_at_a_line() {
        var object = CacheLines.aligned(SharingBenchmark.SameLine::new);
        assertThat(VM.current().addressOf(object) % ObjectLayout.LINE_BYTES).isZero();
    }
}
