package habemus.service.record;

/** Whoever writes down what a loop does. A line is written before anybody can know of what it tells. */
public interface Recorder<S, M> extends AutoCloseable {

    void write(Line<S, M> line);

    @Override
    void close();

    static <S, M> Recorder<S, M> none() {
        return new Recorder<>() {
            @Override
            public void write(Line<S, M> line) {}

            @Override
            public void close() {}
        };
    }
}
