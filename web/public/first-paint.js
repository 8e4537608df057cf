// Sets the chosen look before the first paint, so that a dark portal never flashes white. It is a file of its
// own because the content security policy allows no inline script.
const chosen = localStorage.getItem('color-scheme')
const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
if (localStorage.getItem('menu')?.includes('"isNarrow":true'))
  document.documentElement.setAttribute('data-menu', 'narrow')
// Decides which skeleton index.html draws.
document.documentElement.setAttribute('data-screen', location.pathname.split('/')[1])
