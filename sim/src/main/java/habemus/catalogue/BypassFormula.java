package habemus.catalogue;

import java.util.function.IntUnaryOperator;

/**
 * How often other nodes may enter while one node waits.
 *
 * @param text as people write it, such as {@code 2(n-1)}
 * @param function the value for n nodes
 */
public record BypassFormula(String text, IntUnaryOperator function) {

    public int value(int nodes) {
        return function.applyAsInt(nodes);
    }
}
