package habemus.mutex;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Lines of a finite projective plane, all got by turning one of them.
 *
 * <p>The points stand on a circle. A line is a set of places on it of which any two are another distance apart; so it
 * shares exactly one point with itself turned by any distance. Singer found such a set in the field of q³ elements: the
 * logarithms of those that are combinations of 1 and x. An element is written as a number whose digits, to the base p
 * of which q is a power, are the coefficients of a polynomial in x.
 */
final class ProjectivePlane {

    private ProjectivePlane() {}

    static boolean exists(int points) {
        int order = order(points);
        return points == order * order + order + 1 && (order <= 1 || power(order) > 0);
    }

    /** The q with q²+q+1 points; rounded down if there is none. */
    private static int order(int points) {
        return (int) ((Math.sqrt(4.0 * points - 3) - 1) / 2);
    }

    /**
     * Places on a circle of so many points, from 0 on: one line.
     *
     * @throws IllegalArgumentException if there is no plane of so many points, or none is known
     */
    static List<Integer> line(int points) {
        if (!exists(points)) {
            throw new IllegalArgumentException("there is no projective plane of " + points
                    + " nodes: it takes q²+q+1 of them with q a power of a prime, as 3, 7, 13, 21, 31, 57");
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
            int scalar = powers.get(i * points); // one of the q-1 that make up the field of q, but for 0
            line.add(powers.indexOf(sum(x, scalar, base)) % points);
        }
        return line.stream().sorted().toList();
    }

    /** The least prime in it. */
    private static int base(int order) {
        return IntStream.rangeClosed(2, order)
                .filter(divisor -> order % divisor == 0)
                .findFirst()
                .orElseThrow();
    }

    /** How often it has that prime as a factor; 0 if it has others too. */
    private static int power(int order) {
        int base = base(order);
        int power = 0;
        int rest = order;
        while (rest % base == 0) {
            rest /= base;
            power++;
        }
        return rest == 1 ? power : 0;
    }

    /** Every element but 0, in the order of its logarithm: the first rule for x to the degree that reaches all. */
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

    private static int sum(int one, int other, int base) {
        return one + other == 0 ? 0 : (one % base + other % base) % base + base * sum(one / base, other / base, base);
    }
}
