import { mount } from 'svelte'
import App from './App.svelte'
import './style/theme.css'
import './style/controls.css'
import './style/tables.css'
import './style/analysis.css'

mount(App, { target: document.getElementById('page')! })
