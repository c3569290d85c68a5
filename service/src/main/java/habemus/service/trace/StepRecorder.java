package habemus.service.trace;

/** Whoever writes down what a loop does. A line is written before anybody can know of what it tells. */
public interface StepRecorder<S, M> extends AutoCloseable {

    void write(RecordedStep<S, M> recordedStep);

    @Override
    void close();

    static <S, M> StepRecorder<S, M> none() {
        return new StepRecorder<>() {
            @Override
            public void write(RecordedStep<S, M> recordedStep) {}

            @Override
            public void close() {}
        };
    }
}
