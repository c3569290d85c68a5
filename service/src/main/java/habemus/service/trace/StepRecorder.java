package habemus.service.trace;

/** Records the steps of a protocol instance, each before any of its effects is executed. */
public interface StepRecorder<S, M> extends AutoCloseable {

    void write(RecordedStep<S, M> step);

    @Override
    void close();

    static <S, M> StepRecorder<S, M> none() {
        return new StepRecorder<>() {
            @Override
            public void write(RecordedStep<S, M> step) {}

            @Override
            public void close() {}
        };
    }
}
