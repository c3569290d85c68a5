package habemus.harness.attack;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.codec.MalformedInputException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FrameMutatorTest {

    private static final int FRAMES = 10_000;

    private final FrameMutator mutator = new FrameMutator(7, ValidFrames.ofClient());

    @Test
    void a_seed_and_a_number_determine_a_frame() {
        var again = new FrameMutator(7, ValidFrames.ofClient());
        assertThat(LongStream.range(0, 100))
                .allSatisfy(number -> assertThat(again.frame(number)).isEqualTo(mutator.frame(number)));
    }

    @Test
    void other_seeds_and_numbers_give_other_frames() {
        var other = new FrameMutator(8, ValidFrames.ofClient());
        assertThat(frames(mutator).stream().distinct().count()).isGreaterThan(FRAMES / 2);
        assertThat(frames(other)).isNotEqualTo(frames(mutator));
    }

    private static List<String> frames(FrameMutator mutator) {
        return LongStream.range(0, FRAMES)
                .mapToObj(number -> Arrays.toString(mutator.frame(number)))
                .toList();
    }

    /** Frames that the first check refuses would find nothing behind it. */
    @Test
    void many_frames_pass_the_decoder_and_many_do_not() {
        long accepted = LongStream.range(0, FRAMES).filter(this::isDecodable).count();
        assertThat(accepted).isBetween(FRAMES / 10L, FRAMES * 9L / 10);
    }

    private boolean isDecodable(long number) {
        try {
            ValidFrames.TO_SERVICE.read(mutator.frame(number));
            return true;
        } catch (MalformedInputException malformed) {
            return false;
        }
    }
}
