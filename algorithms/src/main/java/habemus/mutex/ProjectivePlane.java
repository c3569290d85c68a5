package habemus.mutex;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A finite projective plane whose lines are all rotations of one line (a Singer difference set).
 *
 * <p>The points are on a circle. A line is a set of positions in which all distances between two positions differ. So
 * it shares exactly one point with each of its rotations. Singer's construction uses the field of q³ elements: the line
 * is the set of the logarithms of all linear combinations of 1 and x. An element is encoded as a number to the base p,
 * where q is a power of p. Its digits are the coefficients of a polynomial in x.
 */
final class ProjectivePlane {

    private ProjectivePlane() {}

    static boolean exists(int points) {
        int order = order(points);
        return points == order * order + order + 1 && (order <= 1 || power(order) > 0);
    }

    /** The q for which there are q²+q+1 points, rounded down. */
    private static int order(int points) {
        return (int) ((Math.sqrt(4.0 * points - 3) - 1) / 2);
    }

    /**
     * One line: positions on the circle, starting with 0.
     *
     * @throws IllegalArgumentException if no plane with this number of points is known
     */
    static List<Integer> line(int points) {
        if (!exists(points)) {
            throw new IllegalArgumentException("no projective plane has " + points
                    + " nodes: the number must be q²+q+1 for a prime power q, such as 3, 7, 13, 21, 31 or 57");
        }
        int order = order(points);
        return order <= 1 ? IntStream.rangeClosed(0, order).boxed().toList() : singer(order, points);
    }

    private static List<Integer> singer(int order, int points) {
        int base = base(order);
        var powers = powersOfGenerator(base, 3 * power(order));
        int x = powers.get(1);
        var line = new ArrayList<Integer>(List.of(0, 1)); // 1 and x themselves
        for (int i = 0; i < order - 1; i++) {
            int scalar = powers.get(i * points); // one of the q-1 non-zero elements of the subfield of q elements
            line.add(powers.indexOf(sum(x, scalar, base)) % points);
        }
        return line.stream().sorted().toList();
    }

    /** The smallest prime factor. */
    private static int base(int order) {
        return IntStream.rangeClosed(2, order)
                .filter(divisor -> order % divisor == 0)
                .findFirst()
                .orElseThrow();
    }

    /** The exponent of that prime; 0 if the order has other prime factors. */
    private static int power(int order) {
        int base = base(order);
        int power = 0;
        int remaining = order;
        while (remaining % base == 0) {
            remaining /= base;
            power++;
        }
        return remaining == 1 ? power : 0;
    }

    /**
     * All elements but 0, ordered by logarithm. Tries the values of x^degree until the powers of x reach all elements.
     */
    private static List<Integer> powersOfGenerator(int base, int degree) {
        int size = (int) Math.pow(base, degree);
        for (int rule = 1; rule < size; rule++) {
            var powers = powersOfX(rule, base, size);
            if (powers.size() == size - 1) {
                return powers;
            }
        }
        throw new AssertionError("every finite field has a generator");
    }

    private static List<Integer> powersOfX(int rule, int base, int size) {
        var powers = new ArrayList<Integer>();
        int power = 1;
        do {
            powers.add(power);
            int leading = power / (size / base);
            power = power % (size / base) * base;
            for (int times = 0; times < leading; times++) {
                power = sum(power, rule, base);
            }
        } while (power != 1 && powers.size() < size);
        return powers;
    }

    private static int sum(int a, int b, int base) {
        return a + b == 0 ? 0 : (a % base + b % base) % base + base * sum(a / base, b / base, base);
    }
}
