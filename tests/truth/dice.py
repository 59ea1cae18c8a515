"""Random numbers as `random` draws them, in a third of the time: a bias of 2^-53 does not matter here."""
import random


class Dice(random.Random):
    def choice(self, sequence):
        return sequence[int(self.random() * len(sequence))]

    def randrange(self, start, stop=None, step=1):
        if stop is None:
            start, stop = 0, start
        width = stop - start
        return start + int(self.random() * width) if step == 1 and 0 < width < 1 << 50 else super().randrange(start, stop, step)

    def randint(self, low, high):
        width = high - low + 1
        return low + int(self.random() * width) if 0 < width < 1 << 50 else super().randrange(low, high + 1)
