package habemus.lab.compare;

import habemus.catalogue.Algorithm;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One algorithm among so many nodes. Times are in units, the time that every message takes.
 *
 * @param alone messages of an entry or election that only one node wants, on average; nothing if they have no end
 * @param busy messages of an entry or election that everybody wants, on average; nothing if not everybody got in
 * @param clientDelay from asking to entering, when nobody else wants in; of an election from the first call to the
 *     last node's knowing
 * @param handoverDelay from one node's leaving to the next one's entering; nothing of an election
 * @param largest how many numbers and ids the largest message holds
 * @param busiest the part of all messages that the busiest node sent or received
 * @param figures what theory says, and whether it is so
 */
public record Row(
        Algorithm algorithm,
        int nodes,
        OptionalDouble alone,
        OptionalDouble busy,
        double clientDelay,
        OptionalDouble handoverDelay,
        int largest,
        double busiest,
        List<Figure> figures) {

    public boolean agrees() {
        return figures.stream().allMatch(Figure::agrees);
    }
}
