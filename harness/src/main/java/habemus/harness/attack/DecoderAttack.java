package habemus.harness.attack;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.protocol.ClientFrame;
import habemus.raft.RaftMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * Mutated frames for the decoders, in this process. A decoder must return a value, which it encodes and decodes to the
 * same, or throw {@link MalformedInputException}.
 */
final class DecoderAttack implements Attack {

    private static final int MAX_FAILURES = 5;

    /** A decoder, and valid frames for it. */
    private record Target<T>(Codec<T> codec, FrameMutator mutator) {

        static <T> Target<T> of(long seed, Class<T> type, List<byte[]> samples) {
            return new Target<>(Codec.of(type), new FrameMutator(seed, samples));
        }

        /** Whether the frame was decoded. */
        boolean accepts(long number) {
            try {
                var value = codec.read(mutator.frame(number));
                if (!codec.read(codec.write(value)).equals(value)) {
                    throw new IllegalStateException("decoded differently from its encoding: " + value);
                }
                return true;
            } catch (MalformedInputException malformed) {
                return false;
            }
        }
    }

    @Override
    public String name() {
        return "decoders";
    }

    @Override
    public String summary() {
        return "mutated frames of clients, of the log and of its entries, in this process";
    }

    @Override
    public Setting setting() {
        return Setting.IN_PROCESS;
    }

    private static List<Target<?>> targets(long seed) {
        return List.of(
                Target.of(seed, ClientFrame.ToService.class, ValidFrames.ofClient()),
                Target.of(seed, RaftMessage.class, encode(RaftMessage.class, ValidFrames.ofLog())),
                Target.of(seed, CommandBatch.class, encode(CommandBatch.class, ValidFrames.batches())));
    }

    private static <T> List<byte[]> encode(Class<T> type, List<T> values) {
        var codec = Codec.of(type);
        return values.stream().map(codec::write).toList();
    }

    @Override
    public Outcome run(AttackRun run) {
        var budget = run.budget();
        var targets = targets(budget.seed());
        var failures = new ArrayList<String>();
        long accepted = 0;
        long end = budget.from() + budget.decoderFrames();
        for (long number = budget.from(); number < end && failures.size() < MAX_FAILURES; number++) {
            try {
                accepted += targets.get((int) (number % targets.size())).accepts(number) ? 1 : 0;
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError thrown) {
                failures.add(thrown + "; " + budget.replay(name(), number, 1));
            }
            run.show(number - budget.from(), budget.decoderFrames());
        }
        return new Outcome(
                AttackRun.format("%,d frames, %,d of them decoded", budget.decoderFrames(), accepted), failures);
    }
}
